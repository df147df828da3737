import { testRecorded } from "./recorded-blocks.ts";

testRecorded(Number.POSITIVE_INFINITY);
