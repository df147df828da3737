import { expect, test } from "vitest";
import { formatGlobalConfig, globalConfig } from "../../src/answers/server.ts";
import { sampleChain } from "../proof/sample-chain.ts";

const zero = sampleChain(0).zeroState();
const publicKey = new Uint8Array(32).fill(1);

test("names the server by a signed address, and the zero state", () => {
  const { liteservers, validator } = globalConfig({ host: "135.181.177.59", port: 4443, publicKey }, zero);
  const key = Buffer.from(publicKey).toString("base64");
  expect(liteservers).toEqual([{ ip: -2018135749, port: 4443, id: { "@type": "pub.ed25519", key } }]);
  expect(validator.zero_state).toMatchObject({ workchain: -1, seqno: 0 });
  expect(Uint8Array.from(Buffer.from(validator.zero_state.root_hash, "base64"))).toEqual(zero.rootHash);
  expect(validator.init_block).toEqual(validator.zero_state);
});

test("has the shard with all its digits as text", () => {
  const text = formatGlobalConfig(globalConfig({ host: "localhost", port: 1, publicKey }, zero));
  expect(text.match(/"shard": -?\d+/g)).toEqual(['"shard": -9223372036854775808', '"shard": -9223372036854775808']);
  expect(JSON.parse(text)).toEqual(globalConfig({ host: "127.0.0.1", port: 1, publicKey }, zero));
});

test.each(["::1", "example.org", "1.2.3", "1.2.3.256", ""])("refuses %j as a host", (host) => {
  expect(() => globalConfig({ host, port: 1, publicKey }, zero)).toThrow(
    `host must be an IPv4 address, got ${JSON.stringify(host)}`,
  );
});
