/** The program of every runtime: calls the mock through the installed package and reports failed checks. */

type Client = typeof import("@chain-query/client");
type Address = typeof import("@chain-query/client/address");
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
  const { fakeFetch, apiFailure, fixtures } = entries["@chain-query/client/testing"] as Testing;
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
  await check("an abort", async () => {
    const response = await chain.getMasterchainInfo({ signal: AbortSignal.abort() }).safe();
    return !response.ok && response.error instanceof client.AbortedError;
  });
  await check("the limiter", async () => {
    const limited = client.createClient({ baseUrl, rateLimit: { requests: 2, perMs: 20 } });
    const responses = await Promise.all([1, 2, 3].map(() => limited.lookupBlock({ workchain: -1, shard: -1n, seqno: 1 })));
    return responses.length === 3;
  });
  await check("openapi-fetch", async () => (await chain.raw.GET("/api/v2/getMasterchainInfo")).response.status === 200);
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
