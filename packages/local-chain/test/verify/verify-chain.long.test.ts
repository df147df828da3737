import { testChangedRecords } from "./changed-records.ts";

testChangedRecords(1);
