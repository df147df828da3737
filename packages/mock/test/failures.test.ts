/** Failures that the mock sends by itself, with their reasons. The service's tests send both the same requests at the edges of HTTP. */
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import contract from "@chain-query/openapi/openapi.json" with { type: "json" };
import type { FailureReason } from "@chain-query/openapi/requests";
import { afterAll, beforeEach, expect, test } from "vitest";
import { type MockOptions, startMock } from "../src/index.ts";
import { examples } from "./calls.ts";

const mock = await startMock();
beforeEach(() => mock.reset());
afterAll(() => mock.close());

interface Request extends RequestInit {
  readonly path: string;
}

const get = (path: string, headers: Record<string, string> = {}, method = "GET"): Request => ({
  ...{ path: path.startsWith("/") ? path : `/api/v2/${path}`, headers, method },
});
const post = (path: string, body: string | object, type = "application/json"): Request => ({
  ...{ ...get(path, { "content-type": type }, "POST"), body: typeof body === "string" ? body : JSON.stringify(body) },
});
const prefer = (value: string): Request => get("getMasterchainInfo", { prefer: value });
const largeBody = "x".repeat(64 * 1024 + 1);
const past = { workchain: -1, shard: "-9223372036854775808", seqno: 841 };
const [account, outside] = [`0:${"ab".repeat(32)}`, ""];
const sent = (source: string, created_lt: string): Request =>
  post("tryLocateSourceTx", { source, destination: account, created_lt });

type Failure = readonly [what: string, reason: FailureReason, status: number, error: RegExp, asked: Request, input?: string];

const failures: readonly Failure[] = [
  ["a missing member", "invalid_input", 422, /^address: missing/, post("getAddressInformation", {}), "address"],
  ["an unknown member", "invalid_input", 422, /"surplus" is not/, post("getConsensusBlock", { surplus: 1 }), "surplus"],
  ["no selector", "invalid_input", 422, /^exactly one of/, post("lookupBlock", { workchain: 0, shard: "1" })],
  ["a parameter", "invalid_input", 422, /^limit: got/, get(`getTransactionsStd?address=${account}&limit=0`), "limit"],
  ["no body", "invalid_input", 422, /^body: nothing was sent/, post("getAddressInformation", "")],
  ["a preferred response", "invalid_input", 422, /^address/, get("getTransactionsStd", { prefer: "code=429" }), "address"],
  ["an unknown example", "invalid_input", 422, /example=frozen.* head, young-chain$/, prefer("example=frozen")],
  ["dynamic=maybe", "invalid_input", 422, /dynamic=maybe.*true or false/, prefer("dynamic=maybe")],
  ...["abc", "100", "201", "302", "601", "4290"].map((code): Failure => {
    return [`code=${code}`, "invalid_input", 422, new RegExp(`code=${code}.*400 to 600`), prefer(`code=${code}`)];
  }),
  ["an unknown path", "unknown_path", 404, /^there is no such path; expected/, get("/")],
  [
    "another method",
    "wrong_method",
    405,
    /^PUT is not allowed here; allowed are GET, HEAD, POST, OPTIONS$/,
    get("lookupBlock", {}, "PUT"),
  ],
  ["text", "unsupported_media", 415, /^content-type: expected application\/json$/, post("lookupBlock", "{}", "text/plain")],
  ["a large body", "too_large", 413, /^body: too large, at most 65536 bytes/, post("lookupBlock", largeBody)],
  ["a block past the head", "block_pending", 404, /: seqno 841 is past the head, 840$/, post("lookupBlock", past)],
  [
    "an account past the head",
    "block_pending",
    404,
    /head, 840$/,
    post("getAddressInformation", { address: account, seqno: "841" }),
  ],
  ["a message from outside", "message_unknown", 404, /not found/, sent(outside, "77")],
  ["a message at 0", "message_unknown", 404, /not found/, sent(account, "0")],
  ["a message at 1", "message_unknown", 404, /not found/, sent(account, "1")],
];

async function expectFailure(url: string, [, reason, status, error, { path, ...request }, input]: Failure): Promise<Headers> {
  const response = await fetch(url + path, request);
  expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/json"]);
  const { "@extra": _, ...failure } = (await response.json()) as Readonly<Record<string, unknown>>;
  const expected = { ok: false, error: expect.stringMatching(error), code: status, reason };
  expect(failure).toEqual({ ...expected, ...(input && { input }) });
  return response.headers;
}

test.for(failures)("%s is %s", async (failure) => {
  await expectFailure(mock.url, failure);
});

const conditions: readonly (readonly [MockOptions, FailureReason, status: number, error: RegExp])[] = [
  [{ apiKeys: ["a", "b"] }, "unknown_key", 401, /^API key does not exist$/],
  ...(
    [
      [403, "wrong_network"],
      [429, "rate_limited"],
      [500, "internal"],
      [503, "unavailable"],
      [504, "timeout"],
    ] as const
  ).map(([status, reason]) => [{ fail: { rate: 1, status } }, reason, status, /^the mock fails 1 of its requests/] as const),
];

test.for(conditions)("with %j it is %s", async ([options, reason, status, error]) => {
  await using other = await startMock(options);
  const headers = await expectFailure(other.url, ["", reason, status, error, get("getMasterchainInfo", { "x-api-key": "c" })]);
  expect(headers.get("retry-after")).toBe(status === 429 || status === 503 ? "1" : null);
});

test("with the examples, no reason is left out but those that only a service with its own data can send", () => {
  const known = contract.components.schemas.FailureReason["x-extensible-enum"];
  const seen = new Set<unknown>([...failures, ...conditions].map(([, reason]) => reason));
  for (const { response } of examples) seen.add(response.body["reason"]);
  expect(known.filter((reason) => !seen.has(reason))).toEqual(["transaction_unknown", "block_unknown", "behind"]);
});

const start = "GET /api/v2/getMasterchainInfo HTTP/1.1\r\n";
test("a malformed request is rejected after the response to the request before it", async () => {
  const answers = await raw(`${start}host: x\r\n\r\n\u0001x\r\n\r\n`);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 422"]);
});

/** Sends text over a socket as it is. */
function raw(request: string): Promise<string> {
  const socket = connect(Number(new URL(mock.url).port), "127.0.0.1");
  socket.write(request);
  return text(socket);
}
