import { existsSync, readFileSync } from "node:fs";
import { queries } from "@chain-query/lite-protocol/tl";
import { expect, test } from "vitest";
import { HeadWatch } from "../src/head-watch.ts";
import { LoadedChain } from "../src/loaded-chain.ts";
import { createResponder } from "../src/respond.ts";
import { smallChain } from "./small-chain.ts";

/** Requests that a server of a live network answered, in a folder beside the checkout that a public clone does not have. */
const file = new URL("../../../../shared/lite/iroha/recorded-requests.json", import.meta.url);

test("recorded requests are understood: blocks of another chain are not in the db", async ({ skip }) => {
  skip(!existsSync(file), "skipped: no recorded data in ../shared/lite");
  const chain = smallChain(2);
  const respond = createResponder(new LoadedChain(chain, 1_000_000), new HeadWatch(chain), {}, () => undefined);
  const { requests } = JSON.parse(readFileSync(file, "utf8")) as { readonly requests: Readonly<Record<string, string>> };
  const codes = await Promise.all(
    Object.entries(requests).map(async ([name, hex]) => {
      const answer = await respond(Buffer.from(hex, "hex"), new AbortController().signal);
      const code = name === "get_time" ? queries.getTime().read(answer).now && 0 : Buffer.from(answer).readInt32LE(4);
      return [name, code];
    }),
  );
  const missing = 651;
  expect(Object.fromEntries(codes)).toEqual({
    ...Object.fromEntries(Object.keys(requests).map((name) => [name, missing])),
    get_time: 0,
    get_block_proof_forward: 621,
  });
});
