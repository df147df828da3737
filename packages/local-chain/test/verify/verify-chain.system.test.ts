import { testChangedRecords } from "./changed-records.ts";

testChangedRecords(0.2);
