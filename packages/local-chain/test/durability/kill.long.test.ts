import { testKills } from "./kill.ts";

testKills(12, [0.2, 0.4, 0.6, 0.8, 1]);
