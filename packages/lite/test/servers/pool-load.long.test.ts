import { testLoad } from "./pool-load.ts";

testLoad(10_000);
