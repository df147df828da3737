/** Every failure that the service can send has the reason that the contract names. */

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

type Failure = readonly [
  reason: FailureReason,
  status: number,
  what: string,
  request: Request,
  parts?: Partial<AppOptions>,
  source?: Partial<ChainReader>,
];

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

const oldest = get("getTransactionsStd", { address, lt: "1", hash: "00".repeat(32) });
const archival = fail(new ChainReadError("archival", "a"));

const failures: readonly Failure[] = [
  ["invalid_input", 422, "no selector", post("lookupBlock", { workchain: 0, shard: "1" })],
  ["unknown_path", 404, "an unknown path", get("getBlock")],
  ["wrong_method", 405, "another method", { ...get("lookupBlock"), method: "PUT" }],
  ["unsupported_media", 415, "another content type", post("lookupBlock", "{}", "text/plain")],
  ["too_large", 413, "a large body", post("lookupBlock", "x".repeat(64 * 1024 + 1))],
  ["unknown_key", 401, "an unknown key", withKey, gate({})],
  ["wrong_network", 403, "the key of another network", withKey, gate({ keys: { find: async () => otherNetwork } })],
  ["rate_limited", 429, "too many requests", head, gate({ createLimiter: () => ({ take: exhausted }) })],
  ["message_unknown", 404, "a message from outside", sent("", "1")],
  ["message_unknown", 404, "no such message", sent(address, "1")],
  ["message_pending", 404, "a message past the head", sent(address, "9223372036854775807")],
  ["transaction_unknown", 404, "no such transaction", oldest],
  ["block_unknown", 404, "no such workchain", post("lookupBlock", { ...pastHead, workchain: 5 })],
  ["block_unknown", 404, "no such shard", post("lookupBlock", { ...pastHead, shard: "1" })],
  ["block_pending", 404, "a block past the head", post("lookupBlock", pastHead)],
  ["block_pending", 404, "an account past the head", post("getAddressInformation", { address, seqno: "4000000000" })],
  ["history_pruned", 500, "history that the node no longer has", oldest, {}, { history: archival, block: archival }],
  ["unavailable", 542, "an unreadable source", head, {}, { head: fail(new ChainReadError("unavailable", "a")) }],
  ["timeout", 504, "a slow source", head, { deadline: 0.01 }, { head: () => new Promise<never>(() => {}) }],
  ["internal", 500, "a fault of the service", head, {}, { head: fail(new Error("secret")) }],
];

test.for(failures)("%s is the reason of the %i for %s", async ([reason, status, _what, request, parts = {}, source = {}]) => {
  const url = await appWith(parts, source).listen({ port: 0, host: "127.0.0.1" });
  const response = await fetch(`${url}/api/v2/${request.path}`, request);
  const { error, "@extra": _, ...failure } = (await response.json()) as Readonly<Record<string, unknown>>;
  expect([response.status, failure]).toEqual([status, { ok: false, code: status, reason }]);
  expect(error).not.toContain("secret");
});

test("no reason is left out but that of a lowest head, which heads.test.ts has", () => {
  const known = contract.components.schemas.FailureReason["x-extensible-enum"];
  const asked = new Set<string>(failures.map(([reason]) => reason));
  expect(known.filter((reason) => !asked.has(reason))).toEqual(["behind"]);
  const byStatus = Array.from({ length: 501 }, (_, index) => reasonOf(100 + index));
  expect(byStatus.filter((reason) => !known.includes(reason))).toEqual([]);
});
