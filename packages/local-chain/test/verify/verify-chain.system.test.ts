import { testChangedRecords } from "./changed-chain.ts";

testChangedRecords(0.2);
