import { compareWithFalseSignatures } from "./signed.ts";

// For each of eight behaviours twice: more than 10,000 requests.
compareWithFalseSignatures(700);
