import { compareWithFalseSignatures } from "./signed.ts";

compareWithFalseSignatures(10_000);
