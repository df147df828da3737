import { FAST } from "@chain-query/testing/chains";
import { testQuestions } from "./hostile-questions.ts";
import { serveChain } from "../served-chain.ts";

testQuestions(await serveChain(12, { ...FAST, shards: 2, resharding: 3 }), 400);
