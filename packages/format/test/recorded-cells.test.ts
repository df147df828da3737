import { testRecordedCells } from "./recorded-cells.ts";

testRecordedCells(150_000);
