import { NO_DATA, recorded } from "@chain-query/testing/recorded";
import { test } from "vitest";
import { flipBits } from "./account.ts";

test("an account of mainnet's basechain with another bit is refused, or read the same", ({ skip }) => {
  const text = recorded("ton-net/read-basechain.txt");
  if (text === undefined) return skip(NO_DATA);
  flipBits(text, 2_000);
});
