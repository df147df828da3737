import { testKills } from "./kill.ts";

testKills(12, ["first file", 160, 320, 480, 640, 800]);
