/** LMDB cannot read the chain, although its file is there. */
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Status } from "../../src/status/status.ts";
import { ask, until } from "../fixtures/ask.ts";
import { copyChain } from "../fixtures/chain.ts";
import { start } from "../fixtures/command.ts";
import { startService, temporaryFolder } from "../fixtures/service.ts";

test("a chain that cannot be read is not reported as removed", async () => {
  using folder = temporaryFolder();
  const chain = copyChain(folder.path);
  await using service = await startService({ source: { kind: "chain", folder: chain } });
  // A process that closes LMDB's lock file loses its locks on it, and the next process takes its place among the readers.
  closeSync(openSync(join(chain, "chain.mdb-lock"), "r"));
  const flags = ["--port", "0", "--chain", chain, "--no-produce", "--keys", join(folder.path, "keys")];
  await using other = start(...flags, "--keyless-rate", "0");
  await ask(await other.url, "getMasterchainInfo");
  const unreadable = "the chain of this service cannot be read";
  const refused = await until(async () => {
    const answer = await ask(service.url, "getMasterchainInfo");
    return answer.status === 542 ? answer : undefined;
  });
  expect(refused.body.error).toBe(unreadable);
  const ready = await fetch(`${service.url}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining(unreadable)]);
  const { chain: head, problem } = await until(async () => {
    const status = (await (await fetch(`${service.url}/status.json`)).json()) as Status;
    return status.chain === undefined ? status : undefined;
  });
  expect([head, problem]).toEqual([undefined, unreadable]);
});
