import { testKills } from "./kill.ts";

testKills(2, [0.4]);
