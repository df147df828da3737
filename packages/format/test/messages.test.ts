import { testMessages } from "./messages.ts";

testMessages(100);
