/** Thousands of invalid requests, the same ones for the same seed, whose responses are checked against the contract. */
import { once } from "node:events";
import { connect } from "node:net";
import { validateBody } from "@chain-query/conformance";
import { operations } from "@chain-query/openapi/operations";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Request, requestsOn } from "../fuzz/requests.ts";
import { startServer } from "../fuzz/server-process.ts";
import { testChain } from "./fixtures/chain.ts";

/** Requests before memory is measured, while the service still compiles and caches, and after that. */
const [warmUp, count] = [1_000, 2_000];

/** A request in parts, which are changed one by one. */
interface Draft {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly string[];
  readonly body: string;
}

const address = "EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH";
const numbers = "-0 +1 1.5 1e3 1e400 NaN 0x10 4294967296 9223372036854775808 -9223372036854775809 00000000000000000001 ٣";
const texts = fc.oneof(
  fc.constantFrom(...numbers.split(" "), "", "\u0000", "\u202e", "\r\nx-split: 1", "__proto__", "x".repeat(5_000)),
  fc.constantFrom(address, address.toLowerCase(), `${address}=`, address.slice(1), `2147483648:${"0".repeat(64)}`),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
);
const json = fc.oneof(
  texts.map((text) => JSON.stringify(text)),
  fc.constantFrom(...numbers.split(" "), '{"__proto__":1}', '"\\ud800"', "9007199254740993", "1".repeat(400)),
  fc.json({ maxDepth: 3 }),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => "[".repeat(depth) + "]".repeat(depth)),
);
const names = fc.constantFrom(
  ...operations.flatMap(({ inputs }) => inputs.map(({ name }) => name)),
  "@extra",
  "__proto__",
  "x",
);
const urlTexts = fc.oneof(
  texts.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom("%", "%zz", "%00", "%c0%af", "%ed%a0%80", "a&b=c", "#", "a".repeat(20_000), "[]", "+"),
);
const paths =
  "/ /status.json /healthz /readyz /metrics /openapi.json /docs/../src /docs/%2e%2e/x * http://a.example/ // /api/v2";
const headers = [
  ...["content-type: text/plain", "content-type: application/json;;", "content-type: ", "content-encoding: gzip", "host: "],
  ...["expect: unknown", "connection: upgrade", "upgrade: h2c", "x-api-key: unknown", "x-http-method-override: PUT"],
  ...["content-length: 0", "content-length: -1", "content-length: 5", "transfer-encoding: chunked", "if-match: x"],
  ...["range: bytes=0-5", "accept: text/html", `x-long: ${"x".repeat(40_000)}`, "x", ": x", "x y: z"],
];

type Change = (draft: Draft) => Draft;
/** Changes of one part by a value. */
function change<Value>(values: fc.Arbitrary<Value>, of: (draft: Draft, value: Value) => Partial<Draft>): fc.Arbitrary<Change> {
  return values.map((value) => (draft) => ({ ...draft, ...of(draft, value) }));
}
const changes = fc.oneof(
  change(fc.constantFrom(...paths.split(" ")), (_, target) => ({ target })),
  change(urlTexts, ({ target }, text) => ({ target: target.replace(/=[^&]*|$/, (part) => (part ? `=${text}` : `/${text}`)) })),
  change(fc.tuple(names, urlTexts), ({ target }, [name, text]) => ({
    target: `${target}${target.includes("?") ? "&" : "?"}${name}=${text}`,
  })),
  {
    weight: 3,
    arbitrary: change(fc.tuple(names, json), ({ body }, [name, value]) => ({
      body: body.replace(/^\{/, `{${JSON.stringify(name)}:${value}${body === "{}" ? "" : ","}`),
    })),
  },
  { weight: 2, arbitrary: change(json, ({ body }, value) => ({ body: body.replace(/:[^,}]*/, `:${value}`) })) },
  change(fc.oneof(json, fc.constantFrom("", "{bad", "\ufeff{}", "{} // x", "x".repeat(70_000))), (_, body) => ({ body })),
  { weight: 3, arbitrary: change(fc.constantFrom(...headers), (draft, line) => ({ headers: [...draft.headers, line] })) },
  change(fc.integer({ min: 100, max: 2_500 }), (draft, lines) => ({
    headers: [...draft.headers, ...Array<string>(lines).fill("x: 1")],
  })),
  change(fc.constantFrom(..."PUT PATCH DELETE OPTIONS HEAD TRACE PROPFIND get UNKNOWN".split(" ")), (_, method) => ({
    method,
  })),
  change(fc.constantFrom("HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP", ""), (_, version) => ({ version })),
);
/** Changes of the bytes; most requests stay as they are. */
const byteChanges = fc.oneof(
  { weight: 8, arbitrary: fc.constant((bytes: Buffer) => bytes) },
  fc.tuple(fc.nat(1_000), fc.uint8Array({ minLength: 1, maxLength: 4 })).map(([at, some]) => (bytes: Buffer) => {
    const place = at % bytes.length;
    return Buffer.concat([bytes.subarray(0, place), some, bytes.subarray(place + (at % 2) * some.length)]);
  }),
  fc.nat(1_000).map((at) => (bytes: Buffer) => bytes.subarray(0, at % bytes.length)),
  fc.constant((bytes: Buffer) => Buffer.concat([bytes, bytes])),
);

function bytesOf({ method, target, version, headers: lines, body }: Draft): Buffer {
  const length = body === "" ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  return Buffer.from(`${[`${method} ${target} ${version}`, ...lines, ...length].join("\r\n")}\r\n\r\n${body}`);
}

interface Attack {
  readonly draft: Draft;
  readonly bytes: Buffer;
  /** Whether it is a whole request, which gets a response. */
  readonly isWhole: boolean;
}

/** Headers that change where a request ends, or whether its connection stays open. */
const ofConnection = /^(?:content-length|transfer-encoding|expect|connection|upgrade):/;

function attacksFrom(valid: readonly Request[]): fc.Arbitrary<Attack> {
  const drafts = valid.map(({ method, path, body = "" }): Draft => {
    const type = body === "" ? [] : ["content-type: application/json"];
    return { method, target: path, version: "HTTP/1.1", headers: ["host: fuzz", ...type], body };
  });
  return fc
    .tuple(fc.constantFrom(...drafts), fc.array(changes, { minLength: 1, maxLength: 3 }), byteChanges)
    .map(([draft, some, ofBytes]) => {
      const changed = some.reduce((one, apply) => apply(one), draft);
      const [whole, { version, headers: lines }] = [bytesOf(changed), changed];
      const bytes = ofBytes(whole);
      const isWhole = bytes === whole && version === "HTTP/1.1" && !lines.some((line) => ofConnection.test(line));
      return { draft: changed, bytes, isWhole };
    });
}

/** Sends a request on a connection of its own, and returns everything that comes back. */
async function send(port: number, { bytes, isWhole }: Attack): Promise<Buffer> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const parts: Buffer[] = [];
  // The service may reset a connection with an invalid request.
  socket.on("data", (part) => parts.push(part)).on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.once("end", () => socket.end()).write(bytes);
  if (isWhole) await Promise.race([closed, once(socket, "data")]);
  socket.end();
  await closed;
  return Buffer.concat(parts);
}

const statuses = new Set([200, 204, 206, 308, 400, 401, 404, 405, 412, 413, 414, 415, 416, 417, 422, 429, 431]);
/** What errors must not contain: folders, source files, stacks. No attack contains any of it. */
const internals =
  /\/(?:tmp|home|root|usr|work|var|opt)\/|node_modules|node:internal|\.(?:ts|js|mjs|mdb)\b|\bat [\w.<>]+ \(|Error:/;

/** The faults of responses. Adds their statuses. */
function faultsIn({ draft: { method, target }, isWhole }: Attack, answer: Buffer, seen: Set<number>): string[] {
  const faults: string[] = isWhole && answer.length === 0 ? ["no response"] : [];
  let rest = answer;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    const head = rest.toString("latin1", 0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    // A refusal of the parser, which does not know the method, has a body.
    const isBare =
      status < 200 ||
      status === 204 ||
      (method === "HEAD" &&
        !rest
          .subarray(end + 4)
          .toString("latin1")
          .startsWith("{"));
    const length = isBare ? 0 : Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
    if (end < 0 || Number.isNaN(status) || Number.isNaN(length)) return [...faults, `no response: ${rest.subarray(0, 200)}`];
    const text = rest.toString("utf8", end + 4, end + 4 + length);
    rest = rest.subarray(end + 4 + length);
    if (status < 200) continue;
    seen.add(status);
    const isOld = status === 500 && text.includes("use archival=true to reach it");
    if (!statuses.has(status) && !isOld) faults.push(`the status ${status}: ${text}`);
    if (!/^access-control-allow-origin: \*$/im.test(head)) faults.push(`no access-control-allow-origin: ${head}`);
    if (length === 0) continue;
    const id = operations.find((one) => target.split("?")[0] === one.path && one.method === method)?.id;
    if (status < 400 && id === undefined) continue;
    const body = JSON.parse(text) as { code?: number; error?: string };
    const [deviation] = validateBody(status < 400 && id !== undefined ? id : "errors", body).deviations;
    if (deviation !== undefined) faults.push(`${deviation.path} is ${deviation.got}, ${deviation.expected} was expected`);
    if (status >= 400 && (body.code !== status || internals.test(body.error ?? ""))) faults.push(`${status} ${text}`);
  }
  return faults;
}

test("the service answers thousands of invalid requests as the contract says, and uses no more memory afterwards", async () => {
  const valid = Object.values(await requestsOn(testChain, 10)).flat();
  await using server = await startServer({ kind: "service", chain: testChain });
  const port = Number(new URL(server.url).port);
  const attacks = fc.sample(attacksFrom(valid), { seed: 1, numRuns: warmUp + count });
  const [faults, seen] = [[] as object[], new Set<number>()];
  const attackWith = async (some: readonly Attack[]): Promise<void> => {
    const queue = some.values();
    const client = async (): Promise<void> => {
      for (const attack of queue) {
        const what = faultsIn(attack, await send(port, attack), seen);
        if (what.length > 0) faults.push({ what, request: attack.bytes.toString("latin1", 0, 1_000) });
      }
    };
    await Promise.all(Array.from({ length: 16 }, client));
  };
  await attackWith(attacks.slice(0, warmUp));
  const before = await server.read("heap");
  await attackWith(attacks.slice(warmUp));
  expect(faults).toEqual([]);
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 413, 414, 415, 422, 431]));
  expect((await server.read("heap")) / before).toBeLessThan(1.3);
});
