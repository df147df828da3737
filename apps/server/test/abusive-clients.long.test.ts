import { testAbuse } from "./abusive-clients.ts";

testAbuse(1);
