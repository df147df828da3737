import { testAbuse } from "./fixtures/abuse.ts";

testAbuse(0.2);
