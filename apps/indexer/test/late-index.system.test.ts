import { testLateIndex } from "./late-index.ts";

testLateIndex("short");
