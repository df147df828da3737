import { changes } from "./contract-changes/all.ts";
import { testKindsOfChange } from "./kinds-of-change.ts";

testKindsOfChange(changes);
