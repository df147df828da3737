import { expect, test } from "vitest";
import { formatGlobalConfig, globalConfig } from "../../src/answers/server.ts";
import { parseGlobalConfig } from "../../src/servers/global-config.ts";
import { sampleChain } from "../proof/sample-chain.ts";

const zero = sampleChain(0).zeroState();
const publicKey = new Uint8Array(32).fill(1);

test("is read as it was written: the server's address and key, and the zero state, with all digits of its shard", () => {
  const text = formatGlobalConfig(globalConfig({ host: "135.181.177.59", port: 4443, publicKey }, zero));
  const { servers, zeroState, initBlock } = parseGlobalConfig(text);
  expect(servers).toEqual([{ host: "135.181.177.59", port: 4443, publicKey, slices: [] }]);
  expect([zeroState, initBlock]).toEqual([zero, zero]);
  expect(text.match(/"shard": -?\d+/g)).toEqual(['"shard": -9223372036854775808', '"shard": -9223372036854775808']);
  expect(globalConfig({ host: "localhost", port: 1, publicKey }, zero).liteservers[0]?.ip).toBe(0x7f000001);
});

test.each(["::1", "example.org", "1.2.3", "1.2.3.256", ""])("refuses %j as a host", (host) => {
  expect(() => globalConfig({ host, port: 1, publicKey }, zero)).toThrow(
    `host must be an IPv4 address, got ${JSON.stringify(host)}`,
  );
});
