/** Changes that make a request invalid. The same seed gives the same changes. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { type Attack, attackOf, bodyOf, type Draft, type Framing } from "./attack.ts";
import { edgeHeader, edgeJson, edgeText, edgeUrlText } from "./edge-values.ts";

type Mutation = (draft: Draft) => Draft;
type Pair = readonly [string, string];

/** Attacks that start from valid requests. */
export function attacksFrom(valid: readonly Draft[]): fc.Arbitrary<Attack> {
  return fc
    .tuple(fc.constantFrom(...valid), fc.array(mutation, { minLength: 1, maxLength: 3 }), bytesMutation)
    .map(([draft, mutations, mutateBytes]) => mutateBytes(attackOf(mutations.reduce((one, mutate) => mutate(one), draft))));
}

/** A mutation that depends on a value. */
function mutate<Value>(
  values: fc.Arbitrary<Value>,
  change: (draft: Draft, value: Value) => Partial<Draft>,
): fc.Arbitrary<Mutation> {
  return values.map((value) => (draft) => ({ ...draft, ...change(draft, value) }));
}

function chosen<Value>(values: readonly Value[], pick: number): Value | undefined {
  return values[pick % Math.max(1, values.length)];
}

function replaceAt(pairs: readonly Pair[], pick: number, value: string): Pair[] {
  const pair: Pair = [chosen(pairs, pick)?.[0] ?? "x", value];
  return pairs.length === 0 ? [pair] : pairs.map((one, index) => (index === pick % pairs.length ? pair : one));
}

function withoutAt<Value>(values: readonly Value[], pick: number): Value[] {
  return values.filter((_, index) => index !== pick % 4);
}

function withBody(draft: Draft, change: (body: Buffer) => Uint8Array): Partial<Draft> {
  return { body: change(Buffer.from(bodyOf(draft) ?? [])) };
}

const framings: readonly Framing[] = ["length", "chunked", "none", "short", "long", "twice", "both", "broken"];
const methods = [..."GET POST PUT PATCH DELETE OPTIONS HEAD TRACE CONNECT PROPFIND get UNKNOWN".split(" "), ""];
const versions = [..."HTTP/1.0 HTTP/1.2 HTTP/2.0 HTTP/9.9 HTTP".split(" "), ""];
const paths =
  "/ /status.json /healthz /readyz /metrics /openapi.json /docs/ /docs/../src /docs/%2e%2e/x * http://a.example/healthz // \u0000 /api/v2";
const members = "address seqno lt hash limit archival to_lt @extra workchain shard unixtime __proto__ constructor x";

const pick = fc.nat({ max: 1000 });
const name = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...members.split(" ")) }, edgeText);

const pathMutation = fc.oneof(
  mutate(fc.constantFrom(...paths.split(" ")), (_, path) => ({ path })),
  mutate(edgeUrlText, ({ path }, text) => ({ path: `${path}/${text}` })),
  mutate(
    fc.constantFrom<(path: string) => string>(
      (path) => `${path}/`,
      (path) => path.toUpperCase(),
      (path) => path.replace("/api", "//api"),
      (path) => path.replace("/v2", "/./v2/../v2"),
      (path) => path.replace("g", "%67"),
      (path) => `${path};x=1`,
      (path) => `http://fuzz${path}`,
    ),
    ({ path }, change) => ({ path: change(path) }),
  ),
);

const queryMutation = fc.oneof(
  mutate(fc.tuple(pick, edgeUrlText), ({ query }, [at, value]) => ({ query: replaceAt(query, at, value) })),
  mutate(fc.tuple(name, edgeUrlText), ({ query }, [key, value]) => ({
    query: [...query, [encodeURIComponent(key.toWellFormed()), value]],
  })),
  mutate(pick, ({ query }, at) => ({ query: [...query, ...query.slice(at % 4, (at % 4) + 1)] })),
  mutate(pick, ({ query }, at) => ({ query: withoutAt(query, at) })),
  mutate(fc.integer({ min: 100, max: 3000 }), ({ query }, count) => ({
    query: [...query, ...Array<Pair>(count).fill(["a", "1"])],
  })),
);

const memberMutation = fc.oneof(
  {
    weight: 3,
    arbitrary: mutate(fc.tuple(pick, edgeJson), ({ members = [] }, [at, value]) => ({
      members: replaceAt(members, at, value),
    })),
  },
  mutate(fc.tuple(name, edgeJson), ({ members = [] }, pair) => ({ members: [...members, pair] })),
  mutate(pick, ({ members = [] }, at) => ({ members: withoutAt(members, at) })),
);

const bodyMutation = fc.oneof(
  mutate(edgeJson, (_, text) => ({ body: Buffer.from(text) })),
  mutate(fc.uint8Array({ maxLength: 300 }), (_, body) => ({ body })),
  mutate(fc.tuple(pick, fc.nat({ max: 255 })), (draft, [at, byte]) =>
    withBody(draft, (body) => body.map((one, index) => (index === at % body.length ? byte : one))),
  ),
  mutate(pick, (draft, at) => withBody(draft, (body) => body.subarray(0, at % (body.length + 1)))),
  mutate(
    fc.constantFrom<(body: Buffer) => Uint8Array>(
      (body) => Buffer.concat([Buffer.from("\ufeff"), body]),
      (body) => Buffer.from(body.toString(), "utf16le"),
      (body) => Buffer.concat([body, Buffer.from(" // x")]),
      (body) => Buffer.concat([body, body]),
      (body) => gzipSync(body),
      () => Buffer.alloc(0),
      () => Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    ),
    withBody,
  ),
  mutate(fc.constantFrom(60_000, 65_536, 65_537, 200_000), (_, size) => ({
    body: Buffer.from(`{"x":"${"x".repeat(size)}"}`),
  })),
);

const headerMutation = fc.oneof(
  { weight: 5, arbitrary: mutate(edgeHeader, ({ headers }, header) => ({ headers: [...headers, header] })) },
  mutate(edgeHeader, ({ headers }, header) => ({
    headers: [...headers.filter(([name]) => name !== header[0]), header],
  })),
  mutate(pick, ({ headers }, at) => ({ headers: headers.filter((_, index) => index !== at % 3) })),
  mutate(fc.integer({ min: 100, max: 2500 }), ({ headers }, count) => ({
    headers: [...headers, ...Array<Pair>(count).fill(["x", "1"])],
  })),
  mutate(fc.integer({ min: 1000, max: 40_000 }), ({ headers }, size) => ({
    headers: [...headers, ["x-long", "x".repeat(size)]],
  })),
);

const frameMutation = fc.oneof(
  mutate(fc.constantFrom(...framings), (_, framing) => ({ framing })),
  mutate(fc.constantFrom(...methods), (_, method) => ({ method })),
  mutate(fc.constantFrom(...versions), (_, version) => ({ version })),
);

const mutation = fc.oneof(
  { weight: 2, arbitrary: pathMutation },
  { weight: 4, arbitrary: queryMutation },
  { weight: 5, arbitrary: memberMutation },
  { weight: 3, arbitrary: bodyMutation },
  { weight: 4, arbitrary: headerMutation },
  { weight: 2, arbitrary: frameMutation },
);

type BytesMutation = (attack: Attack) => Attack;

/** Changes the bytes of a request after it was written; most requests stay as they are. */
const bytesMutation: fc.Arbitrary<BytesMutation> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<BytesMutation>((attack) => attack) },
  {
    weight: 2,
    arbitrary: pick.map(
      (at): BytesMutation =>
        (attack) => ({ ...attack, pieces: cut(Buffer.concat(attack.pieces), at) }),
    ),
  },
  fc.tuple(pick, fc.uint8Array({ minLength: 1, maxLength: 4 })).map(([pick, bytes]) =>
    changeBytes((all) => {
      const at = pick % (all.length + 1);
      return Buffer.concat([all.subarray(0, at), bytes, all.subarray(at + (pick % 2 === 0 ? bytes.length : 0))]);
    }),
  ),
  pick.map((at) => changeBytes((all) => all.subarray(0, at % (all.length + 1)))),
  fc.constant(changeBytes((all) => Buffer.concat([all, all]))),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => changeBytes(() => Buffer.from(bytes))),
);

function changeBytes(change: (bytes: Buffer) => Buffer): BytesMutation {
  return (attack) => ({ ...attack, isComplete: false, pieces: [change(Buffer.concat(attack.pieces))] });
}

function cut(bytes: Buffer, pick: number): Buffer[] {
  const at = pick % (bytes.length + 1);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}
