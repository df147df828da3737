/** Starting and stopping the service in one process. */
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { ChainStoreError } from "@chain-query/local-chain";
import { open } from "lmdb";
import { describe, expect, test } from "vitest";
import { StartError } from "../../src/failure.ts";
import type { ServeOptions } from "../../src/serve-options.ts";
import { until } from "../fixtures/ask.ts";
import { copyChain } from "../fixtures/chain.ts";
import { startService, temporaryFolder } from "../fixtures/service.ts";

async function startErrorOf(options: Partial<ServeOptions>): Promise<string> {
  try {
    await using service = await startService(options);
    return `listening at ${service.url}`;
  } catch (error) {
    if (error instanceof StartError || error instanceof ChainStoreError) return error.message;
    throw error;
  }
}

describe("the service does not start", () => {
  test("on a port that is in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await startErrorOf({ port })).toBe(`port ${port} is in use on 127.0.0.1; choose another, or 0 for any free port`);
    await new Promise((resolve) => other.close(resolve));
  });

  test("on an address of another machine", async () => {
    expect(await startErrorOf({ host: "203.0.113.9" })).toBe('host "203.0.113.9": not an address of this machine');
  });

  test("on a folder without a chain, or with a truncated one", async () => {
    using folder = temporaryFolder();
    expect(await startErrorOf({ chain: join(folder.path, "none") })).toMatch(/none does not exist/);
    mkdirSync(join(folder.path, "other"));
    writeFileSync(join(folder.path, "other", "notes.txt"), "x");
    expect(await startErrorOf({ chain: join(folder.path, "other") })).toMatch(/other holds no chain/);
    const chain = copyChain(folder.path);
    const file = join(chain, "chain.mdb");
    writeFileSync(file, readFileSync(file).subarray(0, 200_000));
    expect(await startErrorOf({ chain })).toMatch(/chain\.mdb is cut off/);
  });

  test("on a chain of another version", async () => {
    using folder = temporaryFolder();
    const chain = copyChain(folder.path);
    const store = open({ path: join(chain, "chain.mdb"), encoding: "binary", keyEncoding: "binary", maxDbs: 20 });
    const meta = store.openDB({ name: "meta", encoding: "binary", keyEncoding: "binary" });
    await meta.put(Buffer.from("format"), Buffer.of(0, 0, 0, 9));
    await store.close();
    expect(await startErrorOf({ chain })).toMatch(/chain\.mdb has format 9; this version reads format \d+$/);
  });

  test("on a folder of keys that holds something else", async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "notes.txt"), "x");
    expect(await startErrorOf({ keys: folder.path })).toMatch(/^keys .*: the folder holds notes\.txt and no keys/);
  });
});

describe("closing the service", () => {
  test("finishes requests in progress, and refuses new ones", async () => {
    await using service = await startService();
    const socket = connect(service.port, "127.0.0.1").setEncoding("utf8");
    const ended = once(socket, "close");
    let answer = "";
    socket.on("data", (text) => {
      answer += text;
    });
    const head = "POST /api/v2/getConsensusBlock HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    socket.write(`${head}content-length: 2\r\nexpect: 100-continue\r\n\r\n`);
    await until(() => answer.startsWith("HTTP/1.1 100 ") || undefined);
    const closed = service.close();
    await until(() =>
      fetch(`${service.url}/healthz`).then(
        () => undefined,
        () => true,
      ),
    );
    socket.write("{}");
    await ended;
    expect(answer).toMatch(/\r\n\r\nHTTP\/1\.1 200 /);
    expect(answer).toContain('"ok":true');
    await closed;
  });
});
