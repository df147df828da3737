import { FAST } from "@chain-query/testing/chains";
import { serveChain } from "../served-chain.ts";
import { testQuestions } from "./hostile-questions.ts";

testQuestions(await serveChain(12, { ...FAST, shards: 2, resharding: 3 }), 400);
