/** The command on lite servers that it cannot start with: one line and exit code 2. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testChain } from "../fixtures/chain.ts";
import { run } from "../fixtures/command.ts";
import { startLiteNetwork } from "../fixtures/lite-network.ts";
import { temporaryFolder } from "../fixtures/service.ts";

describe("a file of lite servers that cannot be used ends the start with one line", () => {
  const zero = { workchain: -1, shard: "-9223372036854775808", seqno: 0, root_hash: key(1), file_hash: key(2) };
  const server = { ip: 2130706433, port: 4443, id: { "@type": "pub.ed25519", key: key(3) } };
  const config = { liteservers: [server], validator: { zero_state: zero } };

  function key(byte: number, length = 32): string {
    return Buffer.alloc(length, byte).toString("base64");
  }

  test.each([
    ["no config", "port: 80", /config: must be JSON/],
    ["no servers", JSON.stringify({ ...config, liteservers: [] }), /liteservers: must list at least one lite server, got none/],
    [
      "a short key",
      JSON.stringify({ ...config, liteservers: [{ ...server, id: { ...server.id, key: key(3, 31) } }] }),
      /liteservers\[0\]\.id\.key: must be 32 bytes in base64/,
    ],
    [
      "a wrong port",
      JSON.stringify({ ...config, liteservers: [{ ...server, port: 65_536 }] }),
      /liteservers\[0\]\.port: must be a whole number from 1 to 65535, got 65536/,
    ],
    ["no zero state", JSON.stringify({ ...config, validator: {} }), /validator\.zero_state\b.*: must be/],
  ])("%s", async (_, content, problem) => {
    using folder = temporaryFolder();
    const file = join(folder.path, "global.config.json");
    writeFileSync(file, content);
    const { code, stdout, stderr } = await run("--lite-servers", file, "--port", "0", "--keys", join(folder.path, "keys"));
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(problem)]);
    expect(stderr).toContain(`chain-query-server: --lite-servers ${file}: `);
  });

  test("a missing file", async () => {
    const { code, stderr } = await run("--lite-servers", "/nowhere/net.json");
    expect([code, stderr.trimEnd().split("\n").length]).toEqual([2, 1]);
    expect(stderr).toContain("--lite-servers /nowhere/net.json: ENOENT");
  });

  test("both sources", async () => {
    expect(await run("--lite-servers", "net.json", "--chain", "my-chain")).toEqual({
      code: 2,
      stdout: "",
      stderr: "chain-query-server: --chain: is for a chain in a folder; expected it or --lite-servers, got both\n",
    });
  });
});

test("refuses a port in use", async () => {
  using folder = temporaryFolder();
  await using network = await startLiteNetwork(testChain, 1);
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = String(typeof address === "object" ? address?.port : 0);
  const keys = join(folder.path, "keys");
  const { code, stderr } = await run("--port", port, "--keys", keys, "--lite-servers", network.config, "--log-level", "silent");
  other.close();
  expect([code, stderr]).toEqual([2, expect.stringContaining(`port ${port} is in use`)]);
});
