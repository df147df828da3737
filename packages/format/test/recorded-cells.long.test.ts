import { testRecordedCells } from "./recorded-cells.ts";

testRecordedCells(Number.POSITIVE_INFINITY);
