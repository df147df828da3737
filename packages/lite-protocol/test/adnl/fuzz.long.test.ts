import { testFrames } from "./fuzz.ts";

testFrames(10_000, ["client: unsupported"]);
