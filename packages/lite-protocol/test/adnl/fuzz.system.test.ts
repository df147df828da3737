import { testFrames } from "./fuzz.ts";

testFrames(500, []);
