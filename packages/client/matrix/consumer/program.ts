/** The program of every runtime: calls the mock through the installed package and reports failed checks. */

type Client = typeof import("@chain-query/client");
type Address = typeof import("@chain-query/client/address");
type Queries = typeof import("@chain-query/client/query");
type Testing = typeof import("@chain-query/client/testing");
type Validation = typeof import("@chain-query/client/validate");
type Entries = Record<string, unknown>;

interface Example {
  operationId: string;
  request: { query: Record<string, unknown>; body?: Record<string, unknown> };
  response: { body: { result: unknown } };
}

/** The base URL of the mock and its examples. */
interface Config {
  baseUrl: string;
  examples: Example[];
}

/** The number of checks and a line for each that failed. */
interface Report {
  checked: number;
  failures: string[];
}

export async function run(entries: Entries, { baseUrl, examples }: Config, checksOptions: boolean): Promise<Report> {
  const client = entries["@chain-query/client"] as Client;
  const address = entries["@chain-query/client/address"] as Address;
  const { createQueries } = entries["@chain-query/client/query"] as Queries;
  const { fakeFetch, apiFailure, documented, fixtures, inTurn, networkError } = entries[
    "@chain-query/client/testing"
  ] as Testing;
  const { validate } = entries["@chain-query/client/validate"] as Validation;
  const report: Report = { checked: 0, failures: [] };

  async function check(what: string, holds: () => Promise<boolean>): Promise<void> {
    report.checked++;
    try {
      if (!(await holds())) report.failures.push(`${what}: the response is another`);
    } catch (error) {
      const cause = error instanceof Error && error.cause ? ` (${String(error.cause)})` : "";
      report.failures.push(`${what}: ${String(error)}${cause}`);
    }
  }

  const chain = client.createClient({ baseUrl, apiKey: "matrix", rateLimit: false, retry: false });
  const methods = chain as unknown as Record<string, (input: object) => Promise<unknown>>;
  for (const { operationId, request, response } of examples) {
    await check(operationId, async () => {
      const input = camelCased({ ...request.query, ...request.body });
      return same(await methods[operationId]?.(input), response.body.result);
    });
  }

  await check("a failure as a value", async () => {
    const headers = { Prefer: "code=429" };
    const response = await chain.getMasterchainInfo({ headers }).safe();
    return !response.ok && response.error instanceof client.RateLimitError && response.error.status === 429;
  });
  await check("withResponse", async () => {
    const { response, attempts } = await chain.getMasterchainInfo().withResponse();
    return response.status === 200 && attempts === 1;
  });
  await check("a bad input before any request", async () => {
    const response = await chain.tryLocateResultTx({ source: "", destination: "", createdLt: 1.5 }).safe();
    return !response.ok && response.error instanceof client.InvalidArgumentError;
  });
  await check("a wrong option, which bundles for browsers in production do not check", async () => {
    try {
      client.createClient({ baseUrl, timeoutMs: 0 });
      return !checksOptions;
    } catch (error) {
      return checksOptions && error instanceof client.InvalidArgumentError;
    }
  });
  const aborted = new AbortController();
  aborted.abort();
  await check("an abort before the call", async () => {
    const response = await chain.getMasterchainInfo({ signal: aborted.signal }).safe();
    return !response.ok && response.error instanceof client.AbortedError;
  });
  await check("an abort in the wait of a retry", async () => {
    const stop = new AbortController();
    const headers = { Prefer: "code=503" };
    const retrying = chain.withOptions({ headers, retry: { maxRetries: 1 }, hooks: { onRetry: () => stop.abort() } });
    const response = await retrying.getMasterchainInfo({ signal: stop.signal }).safe();
    return !response.ok && response.error instanceof client.AbortedError && response.error.attempts === 1;
  });
  await check("a retry by the status, with any body", async () => {
    const retries: unknown[] = [];
    const hooks = { onRetry: ({ status }: { status?: number | undefined }) => void retries.push(status) };
    const retrying = chain.withOptions({ hooks, retry: { maxRetries: 1, baseDelayMs: 1 }, headers: { Prefer: "code=503" } });
    const response = await retrying.getMasterchainInfo().safe();
    return !response.ok && response.error instanceof client.ServerError && same(retries, [503]);
  });
  await check("a limiter with an aborted signal", () =>
    client
      .createLimiter({ requests: 1, perMs: 1 })
      .acquire(aborted.signal)
      .then(
        () => false,
        () => true,
      ),
  );
  await check("the limiter", async () => {
    const limited = client.createClient({ baseUrl, rateLimit: { requests: 2, perMs: 20 } });
    const responses = await Promise.all([1, 2, 3].map(() => limited.lookupBlock({ workchain: -1, shard: -1n, seqno: 1 })));
    return responses.length === 3;
  });
  await check("openapi-fetch", async () => (await chain.raw.GET("/api/v2/getMasterchainInfo")).response.status === 200);
  await check("openapi-fetch with a body", async () => {
    const { data, error } = await chain.raw.POST("/api/v2/getConsensusBlock", { body: {} });
    return error === undefined && data.ok;
  });
  await check("addresses", async () => {
    const text = address.toFriendlyAddress({ workchain: -1, hash: new Uint8Array(32).fill(0x33) });
    return text === "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF" && address.sameAddress(text, address.toRawAddress(text));
  });
  await check("compiled validation", async () => {
    const strict = client.createClient({ baseUrl, apiKey: "matrix", validate });
    return (
      (await strict.getMasterchainInfo()).last.seqno > 0 && validate("getMasterchainInfo", { ok: true, result: {} }).length > 0
    );
  });
  await check("a fake fetch", async () => {
    const fetch = fakeFetch({ getMasterchainInfo: fixtures.getMasterchainInfo.head, getConsensusBlock: apiFailure(503) });
    const fake = client.createClient({ baseUrl, rateLimit: false, retry: false, fetch });
    const failed = await fake.getConsensusBlock().safe();
    return (await fake.getMasterchainInfo()).last.seqno > 0 && !failed.ok && failed.error instanceof client.ServerError;
  });
  await check("fakes of every operation, and a failed connection", async () => {
    const fetch = fakeFetch({ ...documented, getOutMsgQueueSize: inTurn(networkError(), documented.getOutMsgQueueSize) });
    const fake = client.createClient({ baseUrl, rateLimit: false, retry: { baseDelayMs: 1 }, fetch });
    const { attempts } = await fake.getOutMsgQueueSize().withResponse();
    const block = await fake.lookupBlock({ workchain: -1, shard: client.MASTERCHAIN_SHARD, seqno: 1 });
    const { data } = await fake.raw.POST("/api/v2/getConsensusBlock", { body: {} });
    return attempts === 2 && block.seqno === 1 && data?.ok === true && fetch.requests.length === 4;
  });
  const history = fixtures.getTransactionsStd["first-page"].transactions;
  const account = history[0]?.address.account_address ?? "";
  await check("comments and deposits", async () => {
    const comment = client.messageText(fixtures.tryLocateResultTx.transfer.in_msg);
    return comment === "Thanks for the coffee" && history.every((tx) => client.depositOf(tx) >= 0n);
  });
  await check("a history, with bigints", async () => {
    const fake = client.createClient({ baseUrl, rateLimit: false, fetch: fakeFetch(documented) });
    const fees: bigint[] = [];
    for await (const tx of client.withBigints(fake).transactions({ address: account, maxItems: 3 })) fees.push(tx.fee);
    return fees.length > 1 && fees.every((fee) => fee >= 0n);
  });
  await check("an abort while watching", async () => {
    const stop = new AbortController();
    const watching = client.watchTransactions(chain, account, { from: "start", signal: stop.signal });
    try {
      for await (const _ of watching) stop.abort();
      return false;
    } catch (error) {
      return error instanceof client.AbortedError;
    }
  });
  await check("queries", async () => {
    const { signal } = new AbortController();
    return (await createQueries(chain).getMasterchainInfo().queryFn({ signal })).last.seqno > 0;
  });
  for (const [name, entry] of Object.entries(entries)) {
    await check(name, async () => Object.keys(entry as object).length > 0);
  }
  return report;
}

function camelCased(input: object): object {
  const named = Object.entries(input).map(([name, value]) => [
    name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(named);
}

function same(actual: unknown, expected: unknown): boolean {
  return JSON.stringify(sorted(actual)) === JSON.stringify(sorted(expected));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
