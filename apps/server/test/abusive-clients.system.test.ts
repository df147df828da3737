import { testAbuse } from "./abusive-clients.ts";

testAbuse(0.2);
