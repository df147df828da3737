import { testChangedRecords } from "./changed-chain.ts";

testChangedRecords(1);
