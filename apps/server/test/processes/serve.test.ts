/** The start of the service in one process, and its chain folder. */

import { once } from "node:events";
import { cpSync, existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { ChainStoreError } from "@chain-query/format/store";
import { ConfigError } from "@chain-query/lite";
import { openChain } from "@chain-query/local-chain/reader";
import { describe, expect, test } from "vitest";
import { StartError } from "../../src/failure.ts";
import { sourcesOf } from "../../src/processes/serve.ts";
import { folderProblem, readIdentity } from "../../src/sources/chain-identity.ts";
import { copyChain, testChain } from "../fixtures/chain.ts";
import { liteOptions, startLiteNetwork } from "../fixtures/lite-network.ts";
import { startService, type TestOptions, temporaryFolder } from "../fixtures/service.ts";

async function startErrorOf(options: TestOptions): Promise<string> {
  try {
    await using service = await startService(options);
    return `listening at ${service.url}`;
  } catch (error) {
    if (error instanceof StartError || error instanceof ChainStoreError || error instanceof ConfigError) return error.message;
    throw error;
  }
}

describe("the service does not start", () => {
  test("on a port that is in use, and makes no chain then", async () => {
    using folder = temporaryFolder();
    await using network = await startLiteNetwork(testChain, 1);
    const other = createServer();
    await once(other.listen(0, "127.0.0.1"), "listening");
    const { port } = other.address() as AddressInfo;
    const chain = join(folder.path, "chain");
    const lite = { ...liteOptions, servers: network.config };
    for (const source of [undefined, lite, { kind: "chain", produce: true, folder: chain } as const])
      expect(await startErrorOf({ port, ...(source && { source }) })).toBe(
        `port ${port} is in use on 127.0.0.1; choose another, or 0 for any free port`,
      );
    other.close();
    expect(existsSync(chain)).toBe(false);
  });

  test.each([
    ["a file that is no config", "port: 80", "config: must be JSON"],
    ["a missing file of lite servers", undefined, "ENOENT"],
  ])("on %s", async (_, content, problem) => {
    using folder = temporaryFolder();
    const file = join(folder.path, "global.config.json");
    if (content !== undefined) writeFileSync(file, content);
    const error = await startErrorOf({ source: { ...liteOptions, servers: file } });
    expect(error.startsWith(`${file}: `)).toBe(true);
    expect(error).toContain(problem);
    expect(error).not.toContain("\n");
  });

  test("on an address of another machine", async () => {
    expect(await startErrorOf({ host: "203.0.113.9" })).toBe('host "203.0.113.9": not an address of this machine');
  });

  test("on a folder without a chain, and with a folder of keys that holds something else", async () => {
    using folder = temporaryFolder();
    expect(await startErrorOf({ source: { kind: "chain", folder: join(folder.path, "none") } })).toMatch(/none does not exist/);
    writeFileSync(join(folder.path, "notes.txt"), "x");
    expect(await startErrorOf({ source: { kind: "chain", keys: folder.path } })).toMatch(
      /^keys .*: the folder holds notes\.txt and no keys/,
    );
  });
});

test("the line of an index that listens names its databases without passwords, and the lite servers behind it", () => {
  const lite = { ...liteOptions, servers: "/etc/global.config.json", archival: "/etc/archive.config.json" };
  const [primary, replicas] = ["postgres://reader:secret@db1/chain", ["postgres://db2/chain"]];
  const { databases, ...servers } = sourcesOf({ kind: "index", primary, replicas, lite });
  expect([databases, servers]).toEqual([
    [expect.stringContaining("db1/chain"), "postgres://db2/chain"],
    { liteServers: lite.servers, liteArchival: lite.archival },
  ]);
  expect(JSON.stringify(databases)).not.toContain("secret");
});

test("a chain whose folder changes is noticed when its file is removed, replaced, unreadable or restored, and still reads the one that it opened", async () => {
  using folder = temporaryFolder();
  const chain = copyChain(folder.path);
  const identity = await readIdentity(chain);
  const source = openChain(chain);
  try {
    const head = await source.head();
    const removed = "the chain of this service was removed or replaced";
    expect(folderProblem(chain, identity)).toBeUndefined();
    renameSync(chain, `${chain}.away`);
    expect(folderProblem(chain, identity)).toBe(removed);
    expect(await source.head()).toEqual(head);
    symlinkSync(chain, chain);
    expect(folderProblem(chain, identity)).toBe("the chain of this service cannot be read");
    rmSync(chain);
    // A copy is another file: its head may be older.
    cpSync(`${chain}.away`, chain, { recursive: true });
    expect(folderProblem(chain, identity)).toBe(removed);
    rmSync(chain, { recursive: true });
    renameSync(`${chain}.away`, chain);
    expect(folderProblem(chain, identity)).toBeUndefined();
  } finally {
    await source.close();
  }
});
