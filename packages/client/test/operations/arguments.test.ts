import { describe, expect, test } from "vitest";
import { type ChainClient, type ClientOptions, createClient, createLimiter, InvalidArgumentError } from "../../src/index.ts";
import { failureOf, startFaultServer, succeed } from "../fault-server.ts";

const accepted = "as bigint, safe integer or decimal digits";

describe("createClient", () => {
  test.for<[name: string, options: object | undefined, message: RegExp]>([
    ["no options", undefined, /^createClient: baseUrl must be an absolute http\(s\) URL, got undefined$/],
    ["no baseUrl", {}, /baseUrl must be an absolute http\(s\) URL, got undefined$/],
    ["an undefined baseUrl", { baseUrl: undefined }, /baseUrl must be an absolute http\(s\) URL, got undefined$/],
    ["an empty baseUrl", { baseUrl: "" }, /baseUrl must be an absolute http\(s\) URL, got ""$/],
    ["a relative baseUrl", { baseUrl: "/api/v2" }, /baseUrl must be an absolute http/],
    ["a baseUrl without scheme", { baseUrl: "node.example:80" }, /baseUrl must be an absolute http/],
    ["a baseUrl of another scheme", { baseUrl: "ftp://node.example" }, /baseUrl must be an absolute http/],
    ["a baseUrl with a query", { baseUrl: "http://node.example?a=b" }, /baseUrl must be an absolute http/],
    ["a baseUrl with a space", { baseUrl: "http://node.example/ " }, /baseUrl must be an absolute http/],
    ["a baseUrl that is not a URL", { baseUrl: "http://" }, /baseUrl must be an absolute http/],
    [
      "an unknown option",
      { baseUrl: "http://a", timeout: 5 },
      /options must be among baseUrl, apiKey, timeoutMs.*, got timeout$/,
    ],
    ["an option of every object", { baseUrl: "http://a", toString: 5 }, /options must be among .*, got toString$/],
    ["a timeout of 0", { baseUrl: "http://a", timeoutMs: 0 }, /timeoutMs must be a positive number, got 0$/],
    ["a timeout of NaN", { baseUrl: "http://a", timeoutMs: Number.NaN }, /timeoutMs must be .*, got NaN$/],
    ["a deadline as text", { baseUrl: "http://a", deadlineMs: "5s" }, /deadlineMs must be .*, got "5s"$/],
    ["retry true", { baseUrl: "http://a", retry: true }, /retry must be false or an object, { maxRetries, .*, got true$/],
    [
      "half a retry",
      { baseUrl: "http://a", retry: { maxRetries: 0.5 } },
      /retry: maxRetries must be an integer from 0, got 0.5$/,
    ],
    [
      "an unknown member of retry",
      { baseUrl: "http://a", retry: { retries: 1 } },
      /retry: options must be among maxRetries, .*, got retries$/,
    ],
    [
      "one status to retry",
      { baseUrl: "http://a", retry: { statuses: 500 } },
      /statuses must be an array of HTTP statuses, got 500$/,
    ],
    [
      "a rate without time",
      { baseUrl: "http://a", rateLimit: { requests: 1 } },
      /perMs must be a positive number, got undefined$/,
    ],
    [
      "a rate of half a request",
      { baseUrl: "http://a", rateLimit: { requests: 0.5, perMs: 1 } },
      /requests must be an integer from 1, got 0.5$/,
    ],
    [
      "a rate of no time",
      { baseUrl: "http://a", rateLimit: { requests: 1, perMs: 0 } },
      /perMs must be a positive number, got 0$/,
    ],
    [
      "a rate as a number",
      { baseUrl: "http://a", rateLimit: 5 },
      /rateLimit must be false, an object, .* or a limiter, got 5$/,
    ],
    [
      "middleware that is not a list",
      { baseUrl: "http://a", middleware: {} },
      /middleware must be an array of objects, got an Object$/,
    ],
    [
      "hooks as a function",
      { baseUrl: "http://a", hooks: () => {} },
      /hooks must be an object of hooks or an array of them, got a Function$/,
    ],
    ["hooks of null", { baseUrl: "http://a", hooks: null }, /hooks must be .*, got null$/],
    ["a logger", { baseUrl: "http://a", logger: console }, /options must be among .*, got logger$/],
    ["a fetch that is not a function", { baseUrl: "http://a", fetch: "fetch" }, /fetch must be a function, got "fetch"$/],
    ["dedupe as text", { baseUrl: "http://a", dedupe: "no" }, /dedupe must be a boolean, got "no"$/],
  ])("rejects %s", ([, options, message]) => {
    expect(() => createClient(options as ClientOptions)).toThrow(InvalidArgumentError);
    expect(() => createClient(options as ClientOptions)).toThrow(message);
  });

  test("takes every option that is undefined as not given", () => {
    const names = ["apiKey", "timeoutMs", "deadlineMs", "retry", "rateLimit", "middleware", "hooks", "validate", "fetch"];
    const undefineds = Object.fromEntries([...names, "headers", "dedupe"].map((name) => [name, undefined]));
    expect(() => createClient({ baseUrl: "HTTPS://node.example:8080/a/b@c/", ...undefineds })).not.toThrow();
  });
});

describe("createLimiter", () => {
  test.for([
    [{ requests: 0, perMs: 1 }, /^createLimiter: requests must be an integer from 1, got 0$/],
    [{ requests: 1, perMs: -1 }, /perMs must be a positive number, got -1$/],
    [{ requests: 1, perMs: 1, maxConcurrency: 0 }, /maxConcurrency/],
    [{ requests: 1, per: 1 }, /options must be among requests, perMs, maxConcurrency, got per$/],
  ] as const)("rejects %j", ([limit, message]) => {
    expect(() => createLimiter(limit as { requests: number; perMs: number })).toThrow(InvalidArgumentError);
    expect(() => createLimiter(limit as { requests: number; perMs: number })).toThrow(message);
  });
});

describe("input", () => {
  type Call = (chain: ChainClient) => unknown;
  const block = { workchain: -1, shard: "-9223372036854775808" };
  const locate = { source: "0:ab", destination: "0:cd" };

  test.for<[name: string, call: Call, message: RegExp | string]>([
    [
      "a seqno of 1.5",
      (chain) => chain.lookupBlock({ ...block, seqno: 1.5 }),
      "lookupBlock: seqno must be an integer from 1 to 4294967295, got 1.5",
    ],
    ["a seqno of NaN", (chain) => chain.lookupBlock({ ...block, seqno: Number.NaN }), /seqno must be an integer .*, got NaN$/],
    [
      "a seqno of infinity",
      (chain) => chain.lookupBlock({ ...block, seqno: Number.POSITIVE_INFINITY }),
      /seqno must be .*, got Infinity$/,
    ],
    [
      "a seqno as text that is not a number",
      (chain) => chain.lookupBlock({ ...block, seqno: "5e3" }),
      /seqno must be an integer .*, got "5e3"$/,
    ],
    [
      "a seqno of 61 bits",
      (chain) => chain.lookupBlock({ ...block, seqno: 2n ** 60n }),
      /seqno must be an integer .*, got 1152921504606846976$/,
    ],
    [
      "a lt above 2^63-1",
      (chain) => chain.lookupBlock({ ...block, lt: 2n ** 63n }),
      `lt must be an integer from 0 to 9223372036854775807 ${accepted}, got 9223372036854775808`,
    ],
    [
      "a seqno of 0",
      (chain) => chain.lookupBlock({ ...block, seqno: 0 }),
      /seqno must be an integer from 1 to 4294967295, got 0$/,
    ],
    [
      "a seqno of 33 bits as text",
      (chain) => chain.getAddressInformation({ address: "0:ab", seqno: "4294967296" }),
      /seqno must be an integer from 1 to 4294967295 as bigint.*, got "4294967296"$/,
    ],
    [
      "a limit above 1000",
      (chain) => chain.getTransactionsStd({ address: "a", limit: 1001 }),
      /limit must be an integer from 1 to 1000, got 1001$/,
    ],
    ["a lt below 0", (chain) => chain.lookupBlock({ ...block, lt: "-1" }), /lt must be an integer from 0 .*, got "-1"$/],
    [
      "an unsafe lt",
      (chain) => chain.lookupBlock({ ...block, lt: 2 ** 53 }),
      /lt must be .* safe integer .*, got 9007199254740992$/,
    ],
    ["a lt of NaN", (chain) => chain.lookupBlock({ ...block, lt: Number.NaN }), /lt must be .*, got NaN$/],
    ["a lt in hex", (chain) => chain.lookupBlock({ ...block, lt: "0x5" }), /lt must be .*, got "0x5"$/],
    ["an empty lt", (chain) => chain.lookupBlock({ ...block, lt: "" }), /lt must be .*, got ""$/],
    [
      "a lt in a list",
      (chain) => chain.lookupBlock({ ...block, lt: ["5"] as unknown as string }),
      /lt must be .*, got an Array$/,
    ],
    ["a lt that is too long", (chain) => chain.lookupBlock({ ...block, lt: "9".repeat(500) }), /lt must be .*, got "9{80}"$/],
    [
      "a shard below -2^63",
      (chain) => chain.lookupBlock({ ...block, shard: -(2n ** 63n) - 1n, lt: 1 }),
      "shard must be an integer from -9223372036854775808 to 18446744073709551615",
    ],
    [
      "two selectors",
      (chain) => chain.lookupBlock({ ...block, lt: 1, seqno: 2 } as never),
      "input must have exactly one of seqno, lt, unixtime, got seqno and lt",
    ],
    [
      "no selector",
      (chain) => chain.lookupBlock({ ...block } as never),
      "input must have exactly one of seqno, lt, unixtime, got none",
    ],
    [
      "no shard",
      (chain) => chain.lookupBlock({ workchain: 0, seqno: 1 } as never),
      /shard must be an integer .*, got undefined$/,
    ],
    ["no input", (chain) => chain.lookupBlock(undefined as never), /workchain must be an integer .*, got undefined$/],
    [
      "a wire name",
      (chain) => chain.tryLocateResultTx({ ...locate, created_lt: 1 } as never),
      "input must be among source, destination, createdLt, got created_lt",
    ],
    [
      "an address of another type",
      (chain) => chain.getAddressInformation({ address: 5 } as never),
      "address must be a string, got 5",
    ],
    [
      "archival as text",
      (chain) => chain.getTransactionsStd({ address: "", archival: "yes" } as never),
      /archival must be a boolean, got "yes"$/,
    ],
    [
      "an unknown call option",
      (chain) => chain.getMasterchainInfo({ timeout: 5 } as never),
      /options must be among signal, timeoutMs.*, got timeout$/,
    ],
    [
      "an input for an operation without inputs",
      (chain) => chain.getMasterchainInfo({ seqno: 5 } as never),
      /options must be among signal, .*, got seqno$/,
    ],
    [
      "options of null",
      (chain) => chain.getMasterchainInfo({ signal: null } as never),
      /signal must be an AbortSignal, got null$/,
    ],
    [
      "an object that is not a signal",
      (chain) => chain.getMasterchainInfo({ signal: {} as never }),
      /signal must be an AbortSignal, got an Object$/,
    ],
    [
      "a negative number of retries",
      (chain) => chain.getMasterchainInfo({ maxRetries: -1 }),
      /maxRetries must be an integer from 0, got -1$/,
    ],
    [
      "a walk without address",
      (chain) =>
        chain
          .transactions({} as never)
          .pages()
          [Symbol.asyncIterator]()
          .next(),
      "transactions: address must be a string, got undefined",
    ],
    ["a page size of 0", (chain) => first(chain, { pageSize: 0 }), "pageSize must be an integer from 1 to 1000, got 0"],
    ["a page size of 1.5", (chain) => first(chain, { pageSize: 1.5 }), "pageSize must be an integer from 1 to 1000, got 1.5"],
    ["maxItems of NaN", (chain) => first(chain, { maxItems: Number.NaN }), /maxItems must be .*, got NaN$/],
    ["toLt below 0", (chain) => first(chain, { toLt: -1 }), /toLt must be an integer from 0 .*, got -1$/],
    ["a cursor as text", (chain) => first(chain, { cursor: "5" as never }), /cursor must be an object, got "5"$/],
  ])("rejects %s before any request", async ([, call, message]) => {
    await using server = await startFaultServer(succeed);
    const error = await failureOf(Promise.resolve(call(createClient({ baseUrl: server.url, rateLimit: false }))));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error).toMatchObject({
      code: "INVALID_ARGUMENT",
      attempts: 0,
      message: typeof message === "string" ? expect.stringContaining(message) : expect.stringMatching(message),
    });
    expect(server.seen).toEqual([]);
  });

  const first = (chain: ChainClient, input: object) =>
    chain
      .transactions({ address: "0:ab", ...input })
      [Symbol.asyncIterator]()
      .next();

  test("takes null as no options", async () => {
    await using server = await startFaultServer(succeed);
    await createClient({ baseUrl: server.url }).getMasterchainInfo(null as never);
    expect(server.seen).toHaveLength(1);
  });

  test.for<bigint | number | string>([13n, 13, "13"])("takes %o wherever the contract has an integer", async (seqno) => {
    await using server = await startFaultServer(succeed);
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    await chain.lookupBlock({ workchain: "-1", shard: -1n, seqno });
    await chain.getAddressInformation({ address: "0:ab", seqno });
    await chain.getTransactionsStd({ address: "0:ab", limit: seqno });
    expect(server.seen.map(({ body, url }) => body || url)).toEqual([
      '{"workchain":-1,"shard":"-1","seqno":13}',
      '{"address":"0:ab","seqno":"13"}',
      "/api/v2/getTransactionsStd?address=0%3Aab&limit=13",
    ]);
  });

  test.for<[input: bigint | number | string, sent: string]>([
    [0, "0"],
    [-0, "0"],
    [5n, "5"],
    ["007", "7"],
    [Number.MAX_SAFE_INTEGER, "9007199254740991"],
    [2n ** 63n - 1n, "9223372036854775807"],
    ["9223372036854775807", "9223372036854775807"],
  ])("sends a lt of %s as its digits", async ([lt, sent]) => {
    await using server = await startFaultServer(succeed);
    await createClient({ baseUrl: server.url }).getTransactionsStd({ address: "a", lt, hash: "b" });
    expect(server.seen[0]?.url).toBe(`/api/v2/getTransactionsStd?address=a&lt=${sent}&hash=b`);
  });

  test.for<[shard: bigint | number | string, sent: string]>([
    ["-9223372036854775808", "-9223372036854775808"],
    [0x8000000000000000n, "-9223372036854775808"],
    ["9223372036854775808", "-9223372036854775808"],
    [0xffffffffffffffffn, "-1"],
    [0x4000000000000000n, "4611686018427387904"],
    ["4611686018427387904", "4611686018427387904"],
    // Sixteen decimal digits: a shard of twelve splits.
    ["2251799813685248", "2251799813685248"],
    ["9007199254740992", "9007199254740992"],
  ])("sends a shard of %s as a signed integer", async ([shard, sent]) => {
    await using server = await startFaultServer(succeed);
    await createClient({ baseUrl: server.url }).lookupBlock({ workchain: 0, shard, seqno: 1 });
    expect(JSON.parse(server.seen[0]?.body ?? "")).toMatchObject({ shard: sent });
  });
});
