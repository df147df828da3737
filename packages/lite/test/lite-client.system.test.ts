import { testReads } from "./lite-client.ts";

testReads(12, 8);
