import { testMessages } from "./messages.ts";

testMessages(1_000);
