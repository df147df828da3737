/** The queries that three lite servers receive while an address without a key floods the service with costly requests. */

import type { LiteBehaviour } from "@chain-query/lite/faults";
import { expect, test } from "vitest";
import { ask } from "./fixtures/ask.ts";
import { testChain } from "./fixtures/chain.ts";
import { liteOptions, ready, startLiteNetwork } from "./fixtures/lite-network.ts";
import { startService } from "./fixtures/service.ts";

/** Queries a second to one server. */
const rate = 20;
const count = 3;
/** Functions by which the service follows the head. */
const following = ["getMasterchainInfo", "getVersion", "getTime"];

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index + 10);
const addressOf = (number: number): string => `0:${"17".repeat(31)}${number}`;

test("an address without a key causes a tenth of the queries at most, and callers with a key are answered", async () => {
  const received: string[] = [];
  const counting: LiteBehaviour = {
    answer: async ({ call }, next) => {
      if (!following.includes(call.name)) received.push(call.name);
      return next();
    },
  };
  await using network = await startLiteNetwork(testChain, count, Array(count).fill([counting]));
  const source = { ...liteOptions, servers: network.config, rate };
  await using service = await startService({ source, keylessRate: 1_000, deadline: 8, trustedProxies: ["127.0.0.1"] });
  const { url } = service;
  await ready(url);
  const { text: key } = await service.keys.add("victim", { rate: 0 });
  const [attacker, victim] = [{ "x-forwarded-for": "192.0.2.1" }, { "x-api-key": key }];
  const block = { workchain: -1, shard: "-9223372036854775808", seqno: 7 };
  expect((await ask(url, "lookupBlock", block, victim)).body).toMatchObject({ ok: true });

  received.length = 0;
  const startedAt = performance.now();
  const attacks = numbers(40).flatMap((number) => {
    const address = addressOf(number);
    const message = { source: address, destination: address, created_lt: String(number * 1_000) };
    const page = { address, lt: String(number * 1_000), hash: "ab".repeat(32) };
    return [ask(url, "tryLocateResultTx", message, attacker), ask(url, "getTransactionsStd", page, attacker)];
  });
  const found = numbers(30).map((number) => ask(url, "getAddressInformation", { address: addressOf(number) }, victim));
  expect((await Promise.all(found)).map(({ status }) => status)).toEqual(found.map(() => 200));
  const attacked = await Promise.all(attacks);
  const seconds = (performance.now() - startedAt) / 1000;
  // The queries of a second may be sent at once. Only the victim reads accounts.
  const share = (rate * count) / 10;
  const ofAttacker = received.filter((name) => !["getAccountState", "getConfigParams"].includes(name)).length;
  expect(ofAttacker).toBeGreaterThan(share);
  // One that its server refused was repeated at another one, and maybe not waited for yet.
  expect(ofAttacker).toBeLessThanOrEqual(share * (1 + seconds) + 2);
  const refused = attacked.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  // One that is answered has paid for a block of its own time, and for a list of its transactions: with the bound above, few are answered.
  expect(2 * (attacks.length - refused.length)).toBeLessThanOrEqual(ofAttacker);
  for (const { headers, body } of refused) {
    expect(headers.get("retry-after")).toMatch(/^[1-9]$/);
    expect(body.error).toContain("6 queries per second to lite servers without an API key; send an API key");
  }

  // Answers from memory cost nothing, and other addresses have their own share.
  const before = received.length;
  const cached = await Promise.all(numbers(20).map(() => ask(url, "lookupBlock", block, attacker)));
  expect([cached.every(({ status }) => status === 200), received.length]).toEqual([true, before]);
  const other = await ask(url, "getAddressInformation", { address: addressOf(99) }, { "x-forwarded-for": "192.0.2.2" });
  expect(other.status).toBe(200);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain(`chain_query_limiter_refusals_total{policy="keyless-queries"} ${refused.length}\n`);
  // Each of these requests has read another account. A slow answer is asked for at a second server, too.
  const ofAccounts = (kind: string) =>
    Number(new RegExp(`lite_queries_per_request_${kind}\\{operation="getAddressInformation"\\} (\\d+)`).exec(metrics)?.[1]);
  expect(ofAccounts("count")).toBe(found.length + 1);
  expect(ofAccounts("sum")).toBeGreaterThanOrEqual(found.length + 1);
});
