import { testRecorded } from "./recorded-blocks.ts";

testRecorded(150_000);
