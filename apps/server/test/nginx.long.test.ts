/** nginx with a cache before the service, as its configuration for operators says: what the chain has settled is read once. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startNginx } from "@chain-query/testing/services";
import { expect, test } from "vitest";
import { internalMessages, knownChain, messageKey, rawAddress } from "./fixtures/chain.ts";
import { startService } from "./fixtures/service.ts";

const readCount = 10_000;
const concurrency = 16;
/** Of different callers: a response is stored once for all. */
const encodings = ["identity", "gzip, deflate, br, zstd", "gzip"];

interface Read {
  readonly path: string;
  readonly body?: object;
  /** Whether the chain has settled the response. */
  readonly isSettled: boolean;
}

const pathOf = (id: string, query: object = {}): string =>
  `/api/v2/${id}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`;

/** A mix of reads: half of them of old pages and located transactions, the rest of what depends on the head, and failures. */
function mixOfReads(): { readonly settled: readonly Read[]; readonly others: readonly Read[] } {
  const { histories, reader } = knownChain();
  const longest = histories.toSorted((one, other) => other.length - one.length).slice(0, 5);
  const addresses = longest.flatMap(([newest]) => (newest ? [rawAddress(newest.account)] : []));
  const pages = longest.flatMap((history, index) =>
    history.slice(5, 45).flatMap(({ id: { lt, hash } }, at) => {
      const start = { lt: String(lt), hash: Buffer.from(hash).toString("hex") };
      const path = pathOf("getTransactionsStd", { address: addresses[index], limit: 5, ...start });
      return at % 5 === 0 && at + 10 <= history.length ? [path] : [];
    }),
  );
  const received = internalMessages().filter(({ message }) => reader.findReceiver(message) !== undefined);
  const located = received.slice(0, 60).map(({ message }) => pathOf("tryLocateResultTx", messageKey(message)));
  const [address = ""] = addresses;
  const ofHead = [
    pathOf("getMasterchainInfo"),
    ...addresses.map((each) => pathOf("getTransactionsStd", { address: each, limit: 5 })),
    pathOf("tryLocateResultTx", { source: address, destination: address, created_lt: "1" }),
    pathOf("getTransactionsStd", { address: "none" }),
  ];
  const settled = [...pages, ...located].map((path) => ({ path, isSettled: true }));
  const account = { path: "/api/v2/getAddressInformation", body: { address }, isSettled: false };
  return { settled, others: [account, ...ofHead.map((path) => ({ path, isSettled: false }))] };
}

/** The response without what differs between two equal requests. */
async function responseTo(url: string, { path, body, isSettled }: Read, headers: Record<string, string> = {}): Promise<string> {
  const post = body && { method: "POST", body: JSON.stringify(body) };
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(url + path, { ...post, headers: { ...headers, ...type } });
  const text = await response.text();
  return `${response.status} ${isSettled ? text : text.replace(/"@extra":"[^"]*"/, "")}`;
}

/** The requests to operations that a service has answered. */
async function answered(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counts = metrics.matchAll(/^chain_query_request_duration_seconds_count\{operation="(?!page")[^}]*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

test("old pages and located transactions are read once, the head and failures each time, and no key is stored", async ({
  skip,
}) => {
  await using service = await startService();
  const template = readFileSync(new URL("../deploy/nginx.conf", import.meta.url), "utf8");
  const nginx = await startNginx((port, cache) =>
    template
      .replace("server 127.0.0.1:8080;", `server 127.0.0.1:${service.port};`)
      .replace("listen 8000;", `listen 127.0.0.1:${port};`)
      .replace("/var/cache/nginx/chain-query", cache),
  );
  if ("reason" in nginx) return skip(nginx.reason);
  await using server = nginx;
  const { settled, others } = mixOfReads();
  expect(settled.length).toBeGreaterThan(60);
  const direct = new Map<Read, string>();
  for (const read of [...settled, ...others]) direct.set(read, await responseTo(service.url, read));
  const key = (await service.keys.add("reader", { rate: 0 })).text;
  for (const read of settled) expect(await responseTo(server.url, read, { "x-api-key": key })).toBe(direct.get(read));

  const before = await answered(service.url);
  let [next, passing, different] = [0, 0, 0];
  const work = async (): Promise<void> => {
    for (let index = next++; index < readCount; index = next++) {
      // Steps that have no common divisor with the lengths, so that every read has its turn.
      const of = index % 2 === 0 ? settled : others;
      const read = of[Math.floor(index / 2) % of.length] ?? expect.unreachable();
      if (!read.isSettled) passing++;
      const headers = { "accept-encoding": encodings[index % encodings.length] ?? "" };
      if ((await responseTo(server.url, read, headers)) !== direct.get(read)) different++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  expect({ different, reached: (await answered(service.url)) - before }).toEqual({ different: 0, reached: passing });
  expect(passing).toBe(readCount / 2);

  const [one] = settled;
  const stored = await fetch(server.url + one?.path);
  const conditional = await fetch(server.url + one?.path, { headers: { "if-none-match": stored.headers.get("etag") ?? "" } });
  expect(conditional.status).toBe(304);
  const preferring = await fetch(server.url + one?.path, { headers: { prefer: "proof" } });
  expect([preferring.headers.get("cache-control"), preferring.headers.has("chain-head")]).toEqual(["no-store", true]);
  const entries = readdirSync(server.cache, { recursive: true, withFileTypes: true });
  const files = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
  expect(files).toHaveLength(settled.length);
  for (const file of files) expect(readFileSync(file, "latin1")).not.toContain(key);
});
