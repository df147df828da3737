import { FAST } from "../busy-chain.ts";
import { testQuestions } from "./hostile-questions.ts";
import { serveChain } from "./served-chain.ts";

testQuestions(await serveChain(12, { ...FAST, shards: 2, resharding: 3 }), 10_000);
