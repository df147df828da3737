import { compareWithFalseSignatures } from "./signed.ts";

compareWithFalseSignatures(40, ["hidden rotations"]);
