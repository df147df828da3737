import { describe, expect, test } from "vitest";
import { type ChainClient, createClient, createLimiter } from "../src/index.ts";
import { failureOf } from "./fault-server.ts";

type Misuse = readonly [misuse: string, call: (chain: ChainClient) => unknown, message: string];

const baseUrl = "https://node.example";
const address = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
const block = { workchain: -1, shard: "-9223372036854775808" };

/** Mistakes of callers, and the messages of the client. Types prevent most of them, but not in JavaScript. */
const misuses: readonly Misuse[] = [
  [
    "a string as the input",
    (chain) => chain.getAddressInformation(address as never),
    "getAddressInformation: input must be an object, { address, seqno }, got a string",
  ],
  [
    "an array as the input",
    (chain) => chain.getAddressInformation([address] as never),
    "getAddressInformation: input must be an object, { address, seqno }, got an Array",
  ],
  [
    "no input",
    (chain) => (chain.getAddressInformation as () => unknown)(),
    "getAddressInformation: address must be a string, got undefined",
  ],
  [
    "a wire name",
    (chain) => chain.tryLocateResultTx({ source: address, destination: address, created_lt: 5 } as never),
    "tryLocateResultTx: input must be among source, destination, createdLt, got created_lt",
  ],
  [
    "two heights at once",
    (chain) => chain.lookupBlock({ ...block, seqno: 1, lt: 1 } as never),
    "lookupBlock: input must have exactly one of seqno, lt, unixtime, got seqno and lt",
  ],
  [
    "no height",
    (chain) => chain.lookupBlock(block as never),
    "lookupBlock: input must have exactly one of seqno, lt, unixtime, got none",
  ],
  [
    "a shard in hexadecimal digits",
    (chain) => chain.lookupBlock({ workchain: -1, shard: "8000000000000000", seqno: 1 }),
    'lookupBlock: shard must be an integer from -9223372036854775808 to 18446744073709551615 as bigint, safe integer or decimal digits, got "8000000000000000"; write 0x8000000000000000n',
  ],
  [
    "a shard in hexadecimal with letters",
    (chain) => chain.lookupBlock({ workchain: 0, shard: "0xA000000000000000", seqno: 1 }),
    'lookupBlock: shard must be an integer from -9223372036854775808 to 18446744073709551615 as bigint, safe integer or decimal digits, got "0xA000000000000000"; write 0xA000000000000000n',
  ],
  [
    "a logical time as an inexact number",
    (chain) => chain.lookupBlock({ ...block, lt: 2 ** 60 }),
    "lookupBlock: lt must be an integer from 0 to 9223372036854775807 as bigint, safe integer or decimal digits, got 1152921504606847000",
  ],
  [
    "a fraction as height",
    (chain) => chain.lookupBlock({ ...block, seqno: 1.5 }),
    "lookupBlock: seqno must be an integer from 1 to 4294967295, got 1.5",
  ],
  [
    "an input for a method that takes none",
    (chain) => chain.getMasterchainInfo({ seqno: 5 } as never),
    "getMasterchainInfo: options must be among signal, timeoutMs, deadlineMs, maxRetries, headers, got seqno",
  ],
  [
    "an AbortController as the signal",
    (chain) => chain.getMasterchainInfo({ signal: new AbortController() as never }),
    "getMasterchainInfo: signal must be an AbortSignal, got an AbortController",
  ],
  [
    "a page of too many items",
    (chain) => chain.transactions({ address, pageSize: 5_000 })[Symbol.asyncIterator]().next(),
    "transactions: pageSize must be an integer from 1 to 1000, got 5000",
  ],
  [
    "a string as the options",
    () => createClient("https://node.example" as never),
    "createClient: options must be an object, { baseUrl, apiKey, timeoutMs, deadlineMs, retry, rateLimit, middleware, hooks, validate, fetch, headers, dedupe }, got a string",
  ],
  ["no base URL", () => createClient({} as never), "createClient: baseUrl must be an absolute http(s) URL, got undefined"],
  [
    "a relative base URL",
    () => createClient({ baseUrl: "/api" }),
    'createClient: baseUrl must be an absolute http(s) URL, got "/api"',
  ],
  [
    "a base URL without scheme",
    () => createClient({ baseUrl: "localhost:4010" }),
    'createClient: baseUrl must be an absolute http(s) URL, got "localhost:4010"',
  ],
  [
    "a base URL that is an object",
    () => createClient({ baseUrl: new URL("https://node.example") as never }),
    "createClient: baseUrl must be an absolute http(s) URL as a string, got a URL",
  ],
  [
    "a base URL with credentials",
    () => createClient({ baseUrl: "https://user:secret@node.example" }),
    "createClient: baseUrl must be an absolute http(s) URL without credentials, query and spaces, got a string",
  ],
  [
    "an option of another client",
    () => createClient({ baseUrl, timeout: 5 } as never),
    "createClient: options must be among baseUrl, apiKey, timeoutMs, deadlineMs, retry, rateLimit, middleware, hooks, validate, fetch, headers, dedupe, got timeout",
  ],
  [
    "a time as text",
    () => createClient({ baseUrl, timeoutMs: "5s" as never }),
    'createClient: timeoutMs must be a positive number, got "5s"',
  ],
  [
    "a key with a line break",
    () => createClient({ baseUrl, apiKey: "secret\n" }),
    "createClient: apiKey must be visible ASCII or a function, got a string",
  ],
  [
    "a number of retries as retry",
    () => createClient({ baseUrl, retry: 5 as never }),
    "createClient: retry must be false or an object, { maxRetries, baseDelayMs, maxDelayMs, statuses }, got 5",
  ],
  [
    "a rate without a time",
    () => createLimiter({ requests: 10 } as never),
    "createLimiter: perMs must be a positive number, got undefined",
  ],
];

describe("a misuse is rejected before any request", () => {
  for (const [misuse, call, message] of misuses) {
    test(`${misuse} → ${message}`, async () => {
      const unreachable = () => {
        throw new Error("a request was sent");
      };
      const chain = createClient({ baseUrl, fetch: unreachable });
      const error = await failureOf(Promise.resolve().then(() => call(chain)));
      expect(error).toMatchObject({ name: "InvalidArgumentError", message });
    });
  }
});

describe("a base URL of a JSON-RPC client", () => {
  test.for(["/api/v2", "/api/v2/", "/jsonRPC", "/api/v2/jsonRPC", "/", ""])("may end in %j", async (end) => {
    const seen: string[] = [];
    const fetch = async ({ url }: Request) => {
      seen.push(url);
      return Response.json({ ok: true, result: {} });
    };
    await createClient({ baseUrl: `https://node.example/main${end}`, fetch }).getMasterchainInfo();
    expect(seen).toEqual(["https://node.example/main/api/v2/getMasterchainInfo"]);
  });
});
