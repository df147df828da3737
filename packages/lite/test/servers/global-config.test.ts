import { expect, test } from "vitest";
import { ConfigError, parseGlobalConfig } from "../../src/servers/global-config.ts";

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64");
const blockId = (seqno: number, shard = "-9223372036854775808") =>
  `{"workchain":-1,"shard":${shard},"seqno":${seqno},"root_hash":"${key(1)}","file_hash":"${key(2)}"}`;
const server = (rest: string, byte = 7) =>
  `{"ip":-2018135749,"port":53312,"id":{"@type":"pub.ed25519","key":"${key(byte)}"}${rest}}`;
const file = ({ servers = [server("")], more = "", init = `,"init_block":${blockId(5)}` } = {}) =>
  `{"@type":"config.global","dht":{},"liteservers":[${servers.join()}],"validator":{"zero_state":${blockId(0)}${init}${more}}}`;

test("reads servers, zero state and init block", () => {
  const config = parseGlobalConfig(file());
  expect(config.servers).toEqual([{ host: "135.181.177.59", port: 53312, publicKey: new Uint8Array(32).fill(7), slices: [] }]);
  expect(config.zeroState).toMatchObject({
    workchain: -1,
    shard: -(2n ** 63n),
    seqno: 0,
    rootHash: new Uint8Array(32).fill(1),
  });
  expect(config.initBlock.seqno).toBe(5);
  expect(config.warnings).toEqual([]);
});

test("takes a host name where there is no address", () => {
  const named = server("").replace('"ip":-2018135749', '"hostname":"lite.example"');
  expect(parseGlobalConfig(file({ servers: [named] })).servers[0]?.host).toBe("lite.example");
});

test.each([
  ["-2018135749", "135.181.177.59"],
  ["2276831547", "135.181.177.59"],
  ['"2276831547"', "135.181.177.59"],
  ['"127.0.0.1"', "127.0.0.1"],
])("takes the address %s", (ip, host) => {
  expect(parseGlobalConfig(file({ servers: [server("").replace("-2018135749", ip)] })).servers[0]?.host).toBe(host);
});

test("a hard fork replaces an older init block, and not a newer one", () => {
  // The file of mainnet has a hard fork of its first year.
  const at = (init: number, forks: readonly number[]) => {
    const more = `,"hardforks":[${forks.map((seqno) => blockId(seqno)).join()}]`;
    return parseGlobalConfig(file({ init: `,"init_block":${blockId(init)}`, more })).initBlock.seqno;
  };
  expect(at(34_835_953, [8_536_841])).toBe(34_835_953);
  expect(at(8_000_000, [8_536_841, 8_400_000])).toBe(8_536_841);
  expect(at(8_000_000, [])).toBe(8_000_000);
});

test("keeps all 64 bits of a shard", () => {
  const forks = `,"hardforks":[${blockId(8, "6917529027641081857")},${blockId(9, '"-6917529027641081857"')}]`;
  const { hardforks, initBlock } = parseGlobalConfig(file({ more: forks }));
  expect(hardforks.map(({ shard }) => shard)).toEqual([6917529027641081857n, -6917529027641081857n]);
  expect(initBlock.seqno).toBe(9);
});

test("takes the whole workchain as programs write it that keep numbers as doubles", () => {
  const { zeroState, hardforks } = parseGlobalConfig(
    JSON.stringify(JSON.parse(file({ more: `,"hardforks":[${blockId(8)}]` }))),
  );
  expect([zeroState, ...hardforks].map(({ shard }) => shard)).toEqual([-(2n ** 63n), -(2n ** 63n)]);
});

test("reads the slices of liteservers_v2, and merges servers of both lists", () => {
  const slices = `,"slices":[{"@type":"liteserver.descV2.sliceSimple","shards":[]},{"@type":"liteserver.descV2.sliceTimed","shards_from":
    [{"shard_id":{"workchain":-1,"shard":-9223372036854775808},"seqno":100,"utime":1,"lt":9007199254740993}],"shards_to":[]}]`;
  const both = file().replace('"validator"', `"liteservers_v2":[${server(slices)}],"validator"`);
  const { servers, warnings } = parseGlobalConfig(both);
  expect(warnings).toEqual([]);
  expect(servers).toHaveLength(1);
  expect(servers[0]?.slices).toEqual([
    { from: [], to: [] },
    { from: [{ workchain: -1, shard: -(2n ** 63n), seqno: 100, time: 1, lt: 9007199254740993n }], to: [] },
  ]);
});

test("warns of a key with two addresses, and uses the first", () => {
  const { servers, warnings } = parseGlobalConfig(
    file({ servers: [server(""), server("").replace("53312", "53313"), server("", 8)] }),
  );
  expect(servers.map(({ port }) => port)).toEqual([53312, 53312]);
  expect(warnings).toEqual([
    `key ${key(7)} has two addresses, 135.181.177.59:53312 and 135.181.177.59:53313: the first is used`,
  ]);
});

const refuses = (text: string, message: string | RegExp) => {
  expect(() => parseGlobalConfig(text)).toThrow(ConfigError);
  expect(() => parseGlobalConfig(text)).toThrow(message);
  expect(() => parseGlobalConfig(text)).not.toThrow(/\n/);
};

test.each([
  ["no JSON", "key: value", /^config: must be JSON, got .*$/],
  ["no object", "[1]", /^config: must be an object, got \[1\]$/],
  ["an empty list", file({ servers: [] }), /^liteservers: must list at least one lite server, got none$/],
  ["no list", `{"validator":{"zero_state":${blockId(0)}}}`, /^liteservers: must list at least one lite server, got none$/],
  ["servers that are no list", `{"liteservers":{}}`, /^liteservers: must be an array, got \{\}$/],
  ["no validator", `{"liteservers":[${server("")}]}`, /^validator: must be an object, got nothing$/],
])("refuses %s with one line", (_, text, message) => refuses(text, message));

const ip = "liteservers[0].ip: must be an IPv4 address, as text or as a whole number from -2147483648 to 4294967295";
test.each([
  ["a short key", key(7), Buffer.alloc(31, 1).toString("base64"), 'liteservers[0].id.key: must be 32 bytes in base64, got "A'],
  ["a port of 0", "53312", "0", "liteservers[0].port: must be a whole number from 1 to 65535, got 0"],
  ["a large port", "53312", "65536", "liteservers[0].port: must be a whole number from 1 to 65535, got 65536"],
  ["no port", '"port"', '"prt"', "liteservers[0].port: must be a whole number from 1 to 65535, got nothing"],
  ["no address", '"ip"', '"pi"', `${ip}; or leave it out and give a name as "host", got nothing`],
  [
    "a name as address",
    "-2018135749",
    '"lite.example"',
    `${ip}; or leave it out and give a name as "host", got "lite.example"`,
  ],
  ["half an address", "-2018135749", '"127.0.1"', 'got "127.0.1"'],
  ["a key of another kind", "pub.ed25519", "pub.aes", 'liteservers[0].id.@type: must be "pub.ed25519", got "pub.aes"'],
  ["no zero state", '"zero_state"', '"state"', "validator.zero_state: must be an object, got nothing"],
])("refuses %s with one line", (_, right, wrong, message) => refuses(file().replace(right, wrong), message));
