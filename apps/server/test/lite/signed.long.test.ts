import { compareWithFalseHeads, compareWithFalseSignatures } from "./signed.ts";

// 15 false chains, each compared three times: 10,800 requests.
compareWithFalseSignatures(240);
compareWithFalseHeads(5_000);
