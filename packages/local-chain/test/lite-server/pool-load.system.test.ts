import { testLoad } from "./pool-load.ts";

testLoad(1_000);
