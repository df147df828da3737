import { testKills } from "./kill.ts";

testKills(2, ["first file"]);
