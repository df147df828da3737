import { describe, expect, test } from "vitest";
import { type ChainClient, type ClientOptions, createClient, createLimiter, InvalidArgumentError } from "../../src/index.ts";
import { failureOf, startFaultServer, succeed } from "../fault-server.ts";

const accepted = "as bigint, safe integer or decimal digits";

describe("createClient", () => {
  test.for<[name: string, options: object | undefined, message: RegExp]>([
    ["no options", undefined, /baseUrl is required/],
    ["no baseUrl", {}, /baseUrl is required/],
    ["an undefined baseUrl", { baseUrl: undefined }, /baseUrl is required/],
    ["an empty baseUrl", { baseUrl: "" }, /baseUrl: an http\(s\) URL without credentials and query is accepted$/],
    ["a relative baseUrl", { baseUrl: "/api/v2" }, /baseUrl: an http/],
    ["a baseUrl without scheme", { baseUrl: "node.example:80" }, /baseUrl: an http/],
    ["a baseUrl of another scheme", { baseUrl: "ftp://node.example" }, /baseUrl: an http/],
    ["a baseUrl with a query", { baseUrl: "http://node.example?a=b" }, /baseUrl: an http/],
    ["a baseUrl with a space", { baseUrl: "http://node.example/ " }, /baseUrl: an http/],
    ["a baseUrl that is not a URL", { baseUrl: "http://" }, /baseUrl: an http/],
    ["an unknown option", { baseUrl: "http://a", timeout: 5 }, /timeout is not accepted; accepted: baseUrl, apiKey, timeoutMs/],
    ["an option of every object", { baseUrl: "http://a", toString: 5 }, /toString is not accepted/],
    ["a timeout of 0", { baseUrl: "http://a", timeoutMs: 0 }, /timeoutMs: a positive number is accepted, not 0/],
    ["a timeout of NaN", { baseUrl: "http://a", timeoutMs: Number.NaN }, /timeoutMs: .* not NaN/],
    ["a deadline as text", { baseUrl: "http://a", deadlineMs: "5s" }, /deadlineMs: .* not "5s"/],
    [
      "retry true",
      { baseUrl: "http://a", retry: true },
      /retry: false or an object with the documented members is accepted, not true/,
    ],
    [
      "half a retry",
      { baseUrl: "http://a", retry: { maxRetries: 0.5 } },
      /retry: maxRetries: an integer from 0 is accepted, not 0.5/,
    ],
    ["an unknown member of retry", { baseUrl: "http://a", retry: { retries: 1 } }, /retry: retries is not accepted/],
    ["one status to retry", { baseUrl: "http://a", retry: { statuses: 500 } }, /statuses: a list/],
    ["a rate without time", { baseUrl: "http://a", rateLimit: { requests: 1 } }, /perMs is required/],
    [
      "a rate of half a request",
      { baseUrl: "http://a", rateLimit: { requests: 0.5, perMs: 1 } },
      /requests: an integer from 1/,
    ],
    ["a rate of no time", { baseUrl: "http://a", rateLimit: { requests: 1, perMs: 0 } }, /perMs: a positive/],
    [
      "a rate as a number",
      { baseUrl: "http://a", rateLimit: 5 },
      /rateLimit: false or an object with the documented members is accepted, not 5/,
    ],
    [
      "middleware that is not a list",
      { baseUrl: "http://a", middleware: {} },
      /middleware: a list of objects is accepted, not an object/,
    ],
    ["hooks as a function", { baseUrl: "http://a", hooks: () => {} }, /hooks: a value of type object/],
    ["a logger of null", { baseUrl: "http://a", logger: null }, /logger: false or an object/],
    [
      "a fetch that is not a function",
      { baseUrl: "http://a", fetch: "fetch" },
      /fetch: a value of type function is accepted, not "fetch"/,
    ],
    ["dedupe as text", { baseUrl: "http://a", dedupe: "no" }, /dedupe: a value of type boolean is accepted, not "no"/],
  ])("refuses %s", ([, options, message]) => {
    expect(() => createClient(options as ClientOptions)).toThrow(InvalidArgumentError);
    expect(() => createClient(options as ClientOptions)).toThrow(message);
  });

  test("takes every option that is undefined as not given", () => {
    const names = [
      "apiKey",
      "timeoutMs",
      "deadlineMs",
      "retry",
      "rateLimit",
      "middleware",
      "hooks",
      "logger",
      "validate",
      "fetch",
    ];
    const undefineds = Object.fromEntries([...names, "headers", "dedupe"].map((name) => [name, undefined]));
    expect(() => createClient({ baseUrl: "HTTPS://node.example:8080/a/b@c/", ...undefineds })).not.toThrow();
  });
});

describe("createLimiter", () => {
  test.for([
    [{ requests: 0, perMs: 1 }, /requests: an integer from 1 is accepted, not 0/],
    [{ requests: 1, perMs: -1 }, /perMs: a positive number is accepted, not -1/],
    [{ requests: 1, perMs: 1, maxConcurrency: 0 }, /maxConcurrency/],
    [{ requests: 1, per: 1 }, /per is not accepted/],
  ] as const)("refuses %j", ([limit, message]) => {
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
      "seqno: an integer from 1 to 4294967295 is accepted, not 1.5",
    ],
    ["a seqno of NaN", (chain) => chain.lookupBlock({ ...block, seqno: Number.NaN }), /seqno: an integer .* not NaN/],
    [
      "a seqno of infinity",
      (chain) => chain.lookupBlock({ ...block, seqno: Number.POSITIVE_INFINITY }),
      /seqno: .* not Infinity/,
    ],
    [
      "a seqno as text",
      (chain) => chain.lookupBlock({ ...block, seqno: "5" as unknown as number }),
      /seqno: an integer .* not "5"/,
    ],
    [
      "a seqno of 61 bits",
      (chain) => chain.lookupBlock({ ...block, seqno: 2n ** 60n }),
      /seqno: an integer .* not 1152921504606846976/,
    ],
    [
      "a lt above 2^63-1",
      (chain) => chain.lookupBlock({ ...block, lt: 2n ** 63n }),
      `lt: an integer from 0 to 9223372036854775807 ${accepted}`,
    ],
    ["a seqno of 0", (chain) => chain.lookupBlock({ ...block, seqno: 0 }), /seqno: an integer from 1 to 4294967295 .* not 0/],
    [
      "a seqno of 33 bits as text",
      (chain) => chain.getAddressInformation({ address: "0:ab", seqno: "4294967296" }),
      /seqno: an integer from 1 to 4294967295 as bigint.* not "4294967296"/,
    ],
    [
      "a limit above 1000",
      (chain) => chain.getTransactionsStd({ address: "a", limit: 1001 }),
      /limit: an integer from 1 to 1000/,
    ],
    ["a lt below 0", (chain) => chain.lookupBlock({ ...block, lt: "-1" }), /lt: an integer from 0 .* not "-1"/],
    ["an unsafe lt", (chain) => chain.lookupBlock({ ...block, lt: 2 ** 53 }), /lt: .* safe integer .* not 9007199254740992/],
    ["a lt of NaN", (chain) => chain.lookupBlock({ ...block, lt: Number.NaN }), /lt: .* not NaN/],
    ["a lt in hex", (chain) => chain.lookupBlock({ ...block, lt: "0x5" }), /lt: .* not "0x5"/],
    ["an empty lt", (chain) => chain.lookupBlock({ ...block, lt: "" }), /lt: .* not ""/],
    ["a lt in a list", (chain) => chain.lookupBlock({ ...block, lt: ["5"] as unknown as string }), /lt: .* not an object/],
    ["a lt that is too long", (chain) => chain.lookupBlock({ ...block, lt: "9".repeat(500) }), /lt: .* not "9{80}"/],
    [
      "a shard below -2^63",
      (chain) => chain.lookupBlock({ ...block, shard: -(2n ** 63n) - 1n, lt: 1 }),
      "shard: an integer from -9223372036854775808",
    ],
    [
      "two selectors",
      (chain) => chain.lookupBlock({ ...block, lt: 1, seqno: 2 } as never),
      "exactly one of seqno, lt, unixtime is accepted, not seqno and lt",
    ],
    [
      "no selector",
      (chain) => chain.lookupBlock({ ...block } as never),
      "exactly one of seqno, lt, unixtime is accepted, not none",
    ],
    ["no shard", (chain) => chain.lookupBlock({ workchain: 0, seqno: 1 } as never), "shard is required"],
    ["no input", (chain) => chain.lookupBlock(undefined as never), "workchain is required"],
    [
      "a wire name",
      (chain) => chain.tryLocateResultTx({ ...locate, created_lt: 1 } as never),
      "created_lt is not accepted; accepted: source, destination, createdLt",
    ],
    [
      "an address of another type",
      (chain) => chain.getAddressInformation({ address: 5 } as never),
      "address: a value of type string is accepted, not 5",
    ],
    [
      "archival as text",
      (chain) => chain.getTransactionsStd({ address: "", archival: "yes" } as never),
      /archival: .* boolean .* not "yes"/,
    ],
    [
      "an unknown call option",
      (chain) => chain.getMasterchainInfo({ timeout: 5 } as never),
      /timeout is not accepted; accepted: signal, timeoutMs/,
    ],
    [
      "an input for an operation without inputs",
      (chain) => chain.getMasterchainInfo({ seqno: 5 } as never),
      "seqno is not accepted",
    ],
    [
      "options of null",
      (chain) => chain.getMasterchainInfo({ signal: null } as never),
      /signal: an AbortSignal is accepted, not null/,
    ],
    [
      "an object that is not a signal",
      (chain) => chain.getMasterchainInfo({ signal: {} as never }),
      /signal: an AbortSignal is/,
    ],
    ["a negative number of retries", (chain) => chain.getMasterchainInfo({ maxRetries: -1 }), /maxRetries: an integer from 0/],
    [
      "a walk without address",
      (chain) =>
        chain
          .transactions({} as never)
          .pages()
          [Symbol.asyncIterator]()
          .next(),
      "address is required",
    ],
    ["a page size of 0", (chain) => first(chain, { pageSize: 0 }), "pageSize: an integer from 1 is accepted, not 0"],
    ["a page size of 1.5", (chain) => first(chain, { pageSize: 1.5 }), "pageSize: an integer from 1 is accepted, not 1.5"],
    ["maxItems of NaN", (chain) => first(chain, { maxItems: Number.NaN }), /maxItems: .* not NaN/],
    ["toLt below 0", (chain) => first(chain, { toLt: -1 }), /toLt: an integer from 0/],
    [
      "a cursor as text",
      (chain) => first(chain, { cursor: "5" as never }),
      /cursor: a value of type object is accepted, not "5"/,
    ],
  ])("refuses %s before any request", async ([, call, message]) => {
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
});
