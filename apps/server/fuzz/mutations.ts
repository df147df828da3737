/** Ways to make a request wrong, each the same for the same seed. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { bytesChanged } from "./bytes.ts";
import { type Attack, attackOf, bodyOf, type Draft, type Framing } from "./draft.ts";
import { nastyEscape, nastyHeader, nastyJson, nastyText } from "./nasty.ts";

type Mutation = (draft: Draft) => Draft;
type Pair = readonly [string, string];

const framings: readonly Framing[] = ["length", "chunked", "none", "short", "long", "twice", "both", "broken chunks"];
const methods = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "HEAD",
  "TRACE",
  "CONNECT",
  "PROPFIND",
  "get",
  "NONSENSE",
  "",
];
const pages = [
  "/",
  "/status.json",
  "/healthz",
  "/readyz",
  "/metrics",
  "/openapi.json",
  "/docs/",
  "/docs/../src",
  "/docs/%2e%2e/x",
  "*",
  "http://a.example/healthz",
  "//",
  "/\u0000",
  "/api/v2",
];
const names = [
  "address",
  "seqno",
  "lt",
  "hash",
  "limit",
  "archival",
  "to_lt",
  "@extra",
  "workchain",
  "shard",
  "unixtime",
  "__proto__",
  "constructor",
  "x",
];

/** Takes one of several by a number of any size. */
function chosen<Value>(values: readonly Value[], pick: number): Value | undefined {
  return values[pick % Math.max(1, values.length)];
}

function replaced(pairs: readonly Pair[], pick: number, pair: Pair): Pair[] {
  return pairs.length === 0 ? [pair] : pairs.map((one, index) => (index === pick % pairs.length ? pair : one));
}

const pick = fc.nat({ max: 1000 });
const name = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...names) }, nastyText);

const ofPath: fc.Arbitrary<Mutation> = fc.oneof(
  fc.constantFrom(...pages).map(
    (path): Mutation =>
      (draft) => ({ ...draft, path }),
  ),
  nastyEscape.map(
    (text): Mutation =>
      (draft) => ({ ...draft, path: `${draft.path}/${text}` }),
  ),
  fc.constantFrom<Mutation>(
    (draft) => ({ ...draft, path: `${draft.path}/` }),
    (draft) => ({ ...draft, path: draft.path.toUpperCase() }),
    (draft) => ({ ...draft, path: draft.path.replace("/api", "//api") }),
    (draft) => ({ ...draft, path: draft.path.replace("/v2", "/./v2/../v2") }),
    (draft) => ({ ...draft, path: draft.path.replace("g", "%67") }),
    (draft) => ({ ...draft, path: `${draft.path};x=1` }),
    (draft) => ({ ...draft, path: `http://fuzz${draft.path}` }),
  ),
);

const ofQuery: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(pick, nastyEscape).map(
    ([at, value]): Mutation =>
      (draft) => ({ ...draft, query: replaced(draft.query, at, [chosen(draft.query, at)?.[0] ?? "x", value]) }),
  ),
  fc.tuple(name, nastyEscape).map(
    ([key, value]): Mutation =>
      (draft) => ({ ...draft, query: [...draft.query, [encodeURIComponent(key.toWellFormed()), value]] }),
  ),
  pick.map(
    (at): Mutation =>
      (draft) => ({ ...draft, query: [...draft.query, ...draft.query.slice(at % 4, (at % 4) + 1)] }),
  ),
  pick.map(
    (at): Mutation =>
      (draft) => ({ ...draft, query: draft.query.filter((_, index) => index !== at % 4) }),
  ),
  fc.integer({ min: 100, max: 3000 }).map(
    (count): Mutation =>
      (draft) => ({ ...draft, query: [...draft.query, ...Array<Pair>(count).fill(["a", "1"])] }),
  ),
);

const ofMembers: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(pick, nastyJson).map(
      ([at, value]): Mutation =>
        (draft) => ({
          ...draft,
          members: replaced(draft.members ?? [], at, [chosen(draft.members ?? [], at)?.[0] ?? "x", value]),
        }),
    ),
  },
  fc.tuple(name, nastyJson).map(
    ([key, value]): Mutation =>
      (draft) => ({ ...draft, members: [...(draft.members ?? []), [key, value]] }),
  ),
  pick.map(
    (at): Mutation =>
      (draft) => ({ ...draft, members: (draft.members ?? []).filter((_, index) => index !== at % 4) }),
  ),
);

const ofBody: fc.Arbitrary<Mutation> = fc.oneof(
  nastyJson.map(
    (text): Mutation =>
      (draft) => ({ ...draft, body: Buffer.from(text) }),
  ),
  fc.uint8Array({ maxLength: 300 }).map(
    (body): Mutation =>
      (draft) => ({ ...draft, body }),
  ),
  fc.tuple(pick, fc.nat({ max: 255 })).map(
    ([at, byte]): Mutation =>
      (draft) =>
        onBody(draft, (body) => body.map((one, index) => (index === at % body.length ? byte : one))),
  ),
  pick.map(
    (at): Mutation =>
      (draft) =>
        onBody(draft, (body) => body.subarray(0, at % (body.length + 1))),
  ),
  fc.constantFrom<Mutation>(
    (draft) => onBody(draft, (body) => Buffer.concat([Buffer.from("\ufeff"), body])),
    (draft) => onBody(draft, (body) => Buffer.from(body.toString(), "utf16le")),
    (draft) => onBody(draft, (body) => Buffer.concat([body, Buffer.from(" // x")])),
    (draft) => onBody(draft, (body) => Buffer.concat([body, body])),
    (draft) => onBody(draft, (body) => gzipSync(body)),
    (draft) => onBody(draft, () => Buffer.alloc(0)),
    (draft) => onBody(draft, () => Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])),
  ),
  {
    weight: 1,
    arbitrary: fc.constantFrom(60_000, 65_536, 65_537, 200_000).map(
      (size): Mutation =>
        (draft) =>
          onBody(draft, () => Buffer.from(`{"x":"${"x".repeat(size)}"}`)),
    ),
  },
);

function onBody(draft: Draft, change: (body: Buffer) => Uint8Array): Draft {
  return { ...draft, body: change(Buffer.from(bodyOf(draft) ?? [])) };
}

const ofHeaders: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 5,
    arbitrary: nastyHeader.map(
      (header): Mutation =>
        (draft) => ({ ...draft, headers: [...draft.headers, header] }),
    ),
  },
  nastyHeader.map(
    (header): Mutation =>
      (draft) => ({ ...draft, headers: [...draft.headers.filter(([name]) => name !== header[0]), header] }),
  ),
  pick.map(
    (at): Mutation =>
      (draft) => ({ ...draft, headers: draft.headers.filter((_, index) => index !== at % 3) }),
  ),
  fc.integer({ min: 100, max: 2500 }).map(
    (count): Mutation =>
      (draft) => ({ ...draft, headers: [...draft.headers, ...Array<Pair>(count).fill(["x", "1"])] }),
  ),
  fc.integer({ min: 1000, max: 40_000 }).map(
    (size): Mutation =>
      (draft) => ({ ...draft, headers: [...draft.headers, ["x-long", "x".repeat(size)]] }),
  ),
);

const ofFrame: fc.Arbitrary<Mutation> = fc.oneof(
  fc.constantFrom(...framings).map(
    (framing): Mutation =>
      (draft) => ({ ...draft, framing }),
  ),
  fc.constantFrom(...methods).map(
    (method): Mutation =>
      (draft) => ({ ...draft, method }),
  ),
  fc.constantFrom("HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/9.9", "HTTP", "").map(
    (version): Mutation =>
      (draft) => ({ ...draft, version }),
  ),
);

const mutation = fc.oneof(
  { weight: 2, arbitrary: ofPath },
  { weight: 4, arbitrary: ofQuery },
  { weight: 5, arbitrary: ofMembers },
  { weight: 3, arbitrary: ofBody },
  { weight: 4, arbitrary: ofHeaders },
  { weight: 2, arbitrary: ofFrame },
);

/** Attacks that begin from some valid requests. */
export function attacksFrom(valid: readonly Draft[]): fc.Arbitrary<Attack> {
  return fc
    .tuple(fc.constantFrom(...valid), fc.array(mutation, { minLength: 1, maxLength: 3 }), bytesChanged)
    .map(([draft, mutations, change]) => change(attackOf(mutations.reduce((one, mutate) => mutate(one), draft))));
}
