import { compareWithFalseSignatures } from "./signed.ts";

// For each of eight behaviours twice: 4,000 requests.
compareWithFalseSignatures(250);
