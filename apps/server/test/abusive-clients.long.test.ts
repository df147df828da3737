import { testAbuse } from "./fixtures/abuse.ts";

testAbuse(1);
