import { compareWithFalseSignatures } from "./signed.ts";

compareWithFalseSignatures(100, ["hidden rotations"]);
