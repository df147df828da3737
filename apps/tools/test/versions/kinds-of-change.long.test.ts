import { contractChanges, testKindsOfChange } from "./kinds-of-change.ts";

testKindsOfChange(contractChanges);
