/** Every failure that the service can send has the reason that the contract names, and the member that is wrong. */

import { ChainReadError, type ChainReader } from "@chain-query/format/store";
import contract from "@chain-query/openapi/openapi.json" with { type: "json" };
import { type FailureReason, reasonOf } from "@chain-query/openapi/requests";
import { expect, test } from "vitest";
import type { AppOptions } from "../src/app.ts";
import { createGate, type GateOptions } from "../src/limits/gate.ts";
import { memoryLimiter } from "../src/limits/limiter.ts";
import { appWith } from "./fixtures/app.ts";
import { busiestAddress } from "./fixtures/chain.ts";

interface Request extends RequestInit {
  readonly path: string;
}

interface Failure {
  readonly what: string;
  readonly reason: FailureReason;
  readonly status: number;
  readonly input?: string;
  readonly request: Request;
  readonly parts?: Partial<AppOptions>;
  readonly source?: Partial<ChainReader>;
}

const address = busiestAddress();
const get = (operation: string, query: Record<string, string> = {}): Request => ({
  path: `${operation}?${new URLSearchParams(query)}`,
});
const post = (operation: string, body: object | string, type = "application/json"): Request => ({
  ...{ path: operation, method: "POST", headers: { "content-type": type } },
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const head = get("getMasterchainInfo");
const withKey = { ...head, headers: { "x-api-key": "of-another-user" } };
const sent = (source: string, created_lt: string) => post("tryLocateSourceTx", { source, destination: address, created_lt });
const fail = (error: Error) => () => {
  throw error;
};
const gate = (options: Partial<GateOptions>): Partial<AppOptions> => ({
  gate: createGate({
    ...{ createLimiter: memoryLimiter, keylessRate: 1, network: "chain", onRefusal: () => {} },
    ...{ limiterEvents: { onLocalCount: () => {} }, keys: { find: async () => undefined } },
    ...options,
  }),
});
const exhausted = async () => ({ allowed: false, remaining: 0, renewal: 1000 });
const otherNetwork = { id: "1", owner: "", rate: 0, network: "another", created: 0 };
const pastHead = { workchain: -1, shard: "-9223372036854775808", seqno: 4_000_000_000 };
const largest = "9223372036854775807";

const failures: readonly Failure[] = [
  {
    what: "a missing member",
    reason: "invalid_input",
    status: 422,
    input: "address",
    request: post("getAddressInformation", {}),
  },
  { what: "a member too many", reason: "invalid_input", status: 422, input: "x", request: post("getConsensusBlock", { x: 1 }) },
  {
    what: "a wrong parameter",
    reason: "invalid_input",
    status: 422,
    input: "limit",
    request: get("getTransactionsStd", { address, limit: "0" }),
  },
  {
    what: "lt without hash",
    reason: "invalid_input",
    status: 422,
    input: "hash",
    request: get("getTransactionsStd", { address, lt: "1" }),
  },
  {
    what: "@extra that is no text",
    reason: "invalid_input",
    status: 422,
    input: "@extra",
    request: post("getConsensusBlock", { "@extra": 5 }),
  },
  { what: "no selector", reason: "invalid_input", status: 422, request: post("lookupBlock", { workchain: 0, shard: "1" }) },
  { what: "no JSON", reason: "invalid_input", status: 422, request: post("lookupBlock", "{bad") },
  { what: "an unknown path", reason: "unknown_path", status: 404, request: get("getBlock") },
  { what: "another method", reason: "wrong_method", status: 405, request: { ...get("lookupBlock"), method: "PUT" } },
  { what: "another content type", reason: "unsupported_media", status: 415, request: post("lookupBlock", "{}", "text/plain") },
  { what: "a large body", reason: "too_large", status: 413, request: post("lookupBlock", "x".repeat(64 * 1024 + 1)) },
  { what: "an unknown key", reason: "unknown_key", status: 401, request: withKey, parts: gate({}) },
  {
    ...{ what: "the key of another network", reason: "wrong_network", status: 403, request: withKey },
    parts: gate({ keys: { find: async () => otherNetwork } }),
  },
  {
    ...{ what: "too many requests", reason: "rate_limited", status: 429, request: head },
    parts: gate({ createLimiter: () => ({ take: exhausted }) }),
  },
  { what: "a message from outside", reason: "message_unknown", status: 404, request: sent("", "1") },
  { what: "no such message", reason: "message_unknown", status: 404, request: sent(address, "1") },
  { what: "a message past the head", reason: "message_pending", status: 404, request: sent(address, largest) },
  {
    ...{ what: "no such transaction", reason: "transaction_unknown", status: 404 },
    request: get("getTransactionsStd", { address, lt: "1", hash: "00".repeat(32) }),
  },
  {
    what: "no such workchain",
    reason: "block_unknown",
    status: 404,
    request: post("lookupBlock", { ...pastHead, workchain: 5 }),
  },
  {
    what: "no such shard",
    reason: "block_unknown",
    status: 404,
    request: post("lookupBlock", { workchain: 0, shard: "1", seqno: 4_000_000_000 }),
  },
  { what: "a block past the head", reason: "block_pending", status: 404, request: post("lookupBlock", pastHead) },
  {
    ...{ what: "an account past the head", reason: "block_pending", status: 404 },
    request: post("getAddressInformation", { address, seqno: "4000000000" }),
  },
  {
    ...{ what: "history that the node no longer has", reason: "history_pruned", status: 500 },
    request: get("getTransactionsStd", { address, lt: "1", hash: "00".repeat(32) }),
    source: { history: fail(new ChainReadError("archival", "a")), block: fail(new ChainReadError("archival", "a")) },
  },
  {
    ...{ what: "a source that cannot be read", reason: "unavailable", status: 542, request: head },
    source: { head: fail(new ChainReadError("unavailable", "a")) },
  },
  {
    ...{ what: "a source that is slow", reason: "timeout", status: 504, request: head },
    ...{ parts: { deadline: 0.01 }, source: { head: () => new Promise<never>(() => {}) } },
  },
  {
    ...{ what: "a fault of the service", reason: "internal", status: 500, request: head },
    source: { head: fail(new Error("secret")) },
  },
];

test.for(failures)("$what is $reason", async ({ reason, status, input, request, parts = {}, source = {} }) => {
  const url = await appWith(parts, source).listen({ port: 0, host: "127.0.0.1" });
  const response = await fetch(`${url}/api/v2/${request.path}`, request);
  const { error, "@extra": _, ...failure } = (await response.json()) as Readonly<Record<string, unknown>>;
  expect([response.status, failure]).toEqual([status, { ok: false, code: status, reason, ...(input && { input }) }]);
  expect(error).not.toContain("secret");
});

test("no reason is left out but that of a number that the caller sends, which the service does not read yet", () => {
  const known = contract.components.schemas.FailureReason["x-extensible-enum"];
  const asked = new Set<string>(failures.map(({ reason }) => reason));
  expect(known.filter((reason) => !asked.has(reason))).toEqual(["behind"]);
  const byStatus = Array.from({ length: 501 }, (_, index) => reasonOf(100 + index));
  expect(byStatus.filter((reason) => !known.includes(reason))).toEqual([]);
});
