import { testReads } from "./lite-client.ts";

testReads(24, 1);
