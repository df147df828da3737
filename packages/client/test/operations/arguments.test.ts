import { describe, expect, test } from "vitest";
import {
  type ChainClient,
  type ClientOptions,
  createClient,
  createLimiter,
  InvalidArgumentError,
  type RateLimit,
} from "../../src/index.ts";
import { failureOf, startFaultServer, succeed } from "../fault-server.ts";

const address = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
const options = "baseUrl, apiKey, timeoutMs, deadlineMs, retry, rateLimit, hooks, validate, fetch, headers";
const accepted = "as bigint, safe integer or decimal digits";

describe("createClient", () => {
  /** Expects a message, whole if it is a text. */
  function expectRejected(given: unknown, message: RegExp | string): void {
    expect(() => createClient(given as ClientOptions)).toThrow(InvalidArgumentError);
    const whole = expect.objectContaining({ message: `createClient: ${message}` });
    expect(() => createClient(given as ClientOptions)).toThrow(typeof message === "string" ? whole : message);
  }

  test.for<[name: string, options: unknown, message: RegExp | string]>([
    ["a text as options", "https://node.example", `options must be an object, { ${options} }, got a string`],
    ["no baseUrl", {}, "baseUrl must be an absolute http(s) URL, got undefined"],
    ["a relative baseUrl", { baseUrl: "/api" }, 'baseUrl must be an absolute http(s) URL, got "/api"'],
    ["a baseUrl without scheme", { baseUrl: "host:80" }, 'baseUrl must be an absolute http(s) URL, got "host:80"'],
    ["a baseUrl of another scheme", { baseUrl: "ftp://node.example" }, /baseUrl must be an absolute http/],
    [
      "a baseUrl that is an object",
      { baseUrl: new URL("https://node.example") },
      "baseUrl must be an absolute http(s) URL as a string, got a URL",
    ],
    [
      "a baseUrl with credentials",
      { baseUrl: "https://user:secret@node.example" },
      "baseUrl must be an absolute http(s) URL without credentials, query and spaces, got a string",
    ],
    ["a baseUrl with a query", { baseUrl: "http://node.example?a=b" }, /baseUrl must be an absolute http/],
    ["a baseUrl with a space", { baseUrl: "http://node.example/a b" }, /baseUrl must be an absolute http/],
    ["a baseUrl with a space at its end", { baseUrl: "http://node.example/ " }, "baseUrl ends with a space; trim it"],
    ["a baseUrl from a file", { baseUrl: "http://node.example\r\n" }, "baseUrl ends with a line break; trim it"],
    ["a baseUrl that is not a URL", { baseUrl: "http://" }, /baseUrl must be an absolute http/],
  ])("rejects %s", ([, options, message]) => expectRejected(options, message));

  test.for<[name: string, options: object, message: RegExp | string]>([
    ["an unknown option", { timeout: 5 }, `options must be among ${options}, got timeout; did you mean timeoutMs?`],
    ["an option in another case", { baseURL: "x" }, /, got baseURL; did you mean baseUrl\?$/],
    ["the end of an option", { url: "http://node.example" }, /, got url; did you mean baseUrl\?$/],
    ["a part of an option", { key: "a" }, /, got key; did you mean apiKey\?$/],
    ["two letters swapped", { hoosk: {} }, /, got hoosk; did you mean hooks\?$/],
    ["a letter replaced", { fitch: fetch }, /, got fitch; did you mean fetch\?$/],
    ["a letter too much", { rettry: false }, /, got rettry; did you mean retry\?$/],
    ["the plural of an option", { retries: 3 }, /, got retries; did you mean retry\?$/],
    ["the singular of a member of retry", { retry: { maxRetry: 2 } }, /, got maxRetry; did you mean maxRetries\?$/],
    ["an empty key", { apiKey: "" }, 'apiKey must be visible ASCII, a function or undefined, got ""'],
    ["an option of every object", { toString: 5 }, /options must be among .*, got toString$/],
    ["a timeout of 0", { timeoutMs: 0 }, /timeoutMs must be a positive number, got 0$/],
    ["a timeout as text", { timeoutMs: "5s" }, 'timeoutMs must be a positive number, got "5s"'],
    ["a key from a file", { apiKey: "secret\n" }, "apiKey ends with a line break; trim it"],
    ["a key after a space", { apiKey: " secret" }, "apiKey begins with a space; trim it"],
    ["a key after a byte order mark", { apiKey: "\ufeffsecret" }, "apiKey begins with a byte order mark; trim it"],
    ["a key of two lines", { apiKey: "sec\nret" }, "apiKey must be visible ASCII, a function or undefined, got a string"],
    [
      "a number as retry",
      { retry: 5 },
      "retry must be false or an object, { maxRetries, baseDelayMs, maxDelayMs, statuses }, got 5",
    ],
    ["half a retry", { retry: { maxRetries: 0.5 } }, /retry: maxRetries must be an integer from 0, got 0.5$/],
    [
      "an unknown member of retry",
      { retry: { retries: 1 } },
      /retry: options must be among maxRetries, .*, got retries; did you mean maxRetries\?$/,
    ],
    ["one status to retry", { retry: { statuses: 500 } }, /statuses must be an array of HTTP statuses, got 500$/],
    ["a rate without time", { rateLimit: { requests: 1 } }, /perMs must be a positive number, got undefined$/],
    ["a rate as a number", { rateLimit: 5 }, /rateLimit must be false, an object, .* or a limiter, got 5$/],
    ["hooks as a function", { hooks: () => {} }, /hooks must be an object of hooks or an array of them, got a Function$/],
    ["hooks of null", { hooks: null }, /hooks must be .*, got null$/],
    ["a logger", { logger: console }, /options must be among .*, got logger$/],
    ["a fetch that is not a function", { fetch: "fetch" }, /fetch must be a function, got "fetch"$/],
    [
      "an unknown hook",
      { hooks: { onReqest: () => {} } },
      /hooks: options must be among onCall, onWait, .*, got onReqest; did you mean onRequest\?$/,
    ],
    ["a hook that is not a function", { hooks: { onRequest: 1 } }, /hooks: onRequest must be a function, got 1$/],
    ["retry as a list", { retry: [] }, /retry must be false or an object/],
    ["statuses as strings", { retry: { statuses: ["503"] } }, /statuses must be an array of HTTP statuses, got an Array$/],
    ["headers as a list", { headers: [["x-one", "1"]] }, /headers must be an object of headers, got an Array$/],
    ["a name that no header has", { headers: { "x y": "1" } }, 'headers must be an object of headers, got a name with " "'],
    [
      "a header of two lines",
      { headers: { "x-one": "1", "x-two": "secret\n2" } },
      'headers["x-two"] must be a text in Latin letters on one line, got a string',
    ],
    ["a limiter without functions", { rateLimit: { acquire: 5, pause: 5 } }, /rateLimit must be false, an object, /],
  ])("rejects %s", ([, options, message]) => expectRejected({ baseUrl: "http://node.invalid", ...options }, message));

  test("takes every option that is undefined as not given", () => {
    const names = ["apiKey", "timeoutMs", "deadlineMs", "retry", "rateLimit", "hooks", "validate", "fetch"];
    const undefineds = Object.fromEntries([...names, "headers"].map((name) => [name, undefined]));
    expect(() => createClient({ baseUrl: "HTTPS://node.example:8080/a/b@c/", ...undefineds })).not.toThrow();
  });
});

describe("createLimiter", () => {
  test.for([
    [{ requests: 10 }, /^createLimiter: perMs must be a positive number, got undefined$/],
    [{ requests: 0, perMs: 1 }, /^createLimiter: requests must be an integer from 1, got 0$/],
    [{ requests: 1, perMs: -1 }, /perMs must be a positive number, got -1$/],
    [{ requests: 1, perMs: 1, maxConcurrency: 0 }, /maxConcurrency/],
    [{ requests: 1, per: 1 }, /options must be among requests, perMs, maxConcurrency, got per; did you mean perMs\?$/],
  ] as const)("rejects %j", ([limit, message]) => {
    expect(() => createLimiter(limit as RateLimit)).toThrow(InvalidArgumentError);
    expect(() => createLimiter(limit as RateLimit)).toThrow(message);
  });
});

describe("input", () => {
  type Call = (chain: ChainClient) => unknown;
  const block = { workchain: -1, shard: "-9223372036854775808" };
  const [source, destination] = [`0:${"ab".repeat(32)}`, `0:${"cd".repeat(32)}`];
  const locate = { source, destination };

  const lookup = (input: object) => (chain: ChainClient) => chain.lookupBlock({ ...block, ...input } as never);
  const of = "getTransactionsStd";
  const forms = "an address is workchain:64 hexadecimal digits or 48 characters of base64";
  const read = (input: object) => (chain: ChainClient) => chain.getTransactionsStd({ address, ...input });
  const account = (input: unknown) => (chain: ChainClient) => chain.getAddressInformation(input as never);
  const call = (given: object) => (chain: ChainClient) => chain.getMasterchainInfo(given as never);
  const walk = (input: object) => (chain: ChainClient) =>
    chain
      .transactions({ address: source, ...input })
      [Symbol.asyncIterator]()
      .next();

  test.for<[name: string, call: Call, message: RegExp | string]>([
    [
      "a text as the input",
      account(address),
      "getAddressInformation: input must be an object, { address, seqno }, got a string",
    ],
    ["an array as the input", account([address]), /must be an object, .*, got an Array$/],
    ["a seqno of 1.5", lookup({ seqno: 1.5 }), "lookupBlock: seqno must be an integer from 1 to 4294967295, got 1.5"],
    ["a seqno as text that is not a number", lookup({ seqno: "5e3" }), /seqno must be an integer .*, got "5e3"$/],
    [
      "a lt above 2^63-1",
      lookup({ lt: 2n ** 63n }),
      `lookupBlock: lt must be an integer from 0 to 9223372036854775807 ${accepted}, got 9223372036854775808`,
    ],
    [
      "a lt as an inexact number",
      lookup({ lt: 2 ** 60 }),
      `lookupBlock: lt must be an integer from 0 to 9223372036854775807 ${accepted}, got 1152921504606847000`,
    ],
    ["a seqno of 0", lookup({ seqno: 0 }), /seqno must be an integer from 1 to 4294967295, got 0$/],
    [
      "a seqno of 33 bits as text",
      account({ address: source, seqno: "4294967296" }),
      /seqno must be an integer from 1 to 4294967295 as bigint.*, got "4294967296"$/,
    ],
    ["a limit above 1000", read({ limit: 1001 }), /limit must be an integer from 1 to 1000, got 1001$/],
    ["a lt below 0", lookup({ lt: "-1" }), /lt must be an integer from 0 .*, got "-1"$/],
    ["a lt in hex", lookup({ lt: "0x5" }), /lt must be .*, got "0x5"$/],
    ["an empty lt", lookup({ lt: "" }), /lt must be .*, got ""$/],
    ["a lt in a list", lookup({ lt: ["5"] }), /lt must be .*, got an Array$/],
    ["a lt that is too long", lookup({ lt: "9".repeat(500) }), /lt must be .*, got "9{80}"$/],
    [
      "a shard below -2^63",
      lookup({ shard: -(2n ** 63n) - 1n, lt: 1 }),
      /shard must be an integer from -9223372036854775808 to 18446744073709551615/,
    ],
    ...(["8000000000000000", "0xA000000000000000"] as const).map((shard): [string, Call, string] => [
      `the hexadecimal shard ${shard}`,
      lookup({ shard, seqno: 1 }),
      `lookupBlock: shard must be an integer from -9223372036854775808 to 18446744073709551615 ${accepted}, got "${shard}"; write 0x${shard.slice(-16)}n`,
    ]),
    [
      "two selectors",
      lookup({ lt: 1, seqno: 2 }),
      "lookupBlock: input must have exactly one of seqno, lt, unixtime, got seqno and lt",
    ],
    ["no selector", lookup({}), "lookupBlock: input must have exactly one of seqno, lt, unixtime, got none"],
    [
      "no shard",
      (chain) => chain.lookupBlock({ workchain: 0, seqno: 1 } as never),
      /shard must be an integer .*, got undefined$/,
    ],
    [
      "no argument",
      (chain) => (chain.getAddressInformation as () => unknown)(),
      "getAddressInformation: address must be a string, got undefined",
    ],
    [
      "a wire name",
      (chain) => chain.tryLocateResultTx({ ...locate, created_lt: 1 } as never),
      "tryLocateResultTx: input must be among source, destination, createdLt, got created_lt; did you mean createdLt?",
    ],
    ["a wire name that has another input in it", read({ to_lt: 1 }), /, got to_lt; did you mean toLt\?$/],
    ["an address of another type", account({ address: 5 }), "getAddressInformation: address must be a string, got 5"],
    ["archival as text", read({ archival: "yes" }), /archival must be a boolean, got "yes"$/],
    [
      "an unknown call option",
      call({ timeout: 5 }),
      /options must be among signal, timeoutMs.*, got timeout; did you mean timeoutMs\?$/,
    ],
    [
      "an input for an operation without inputs",
      call({ seqno: 5 }),
      "getMasterchainInfo: options must be among signal, timeoutMs, deadlineMs, maxRetries, headers, got seqno",
    ],
    [
      "a name that no header has",
      call({ headers: { "": "1" } }),
      "getMasterchainInfo: headers must be an object of headers, got a name of no characters",
    ],
    ["an object that is not a signal", call({ signal: {} }), /signal must be an AbortSignal, got an Object$/],
    [
      "an AbortController as the signal",
      call({ signal: new AbortController() }),
      "getMasterchainInfo: signal must be an AbortSignal, got an AbortController",
    ],
    ["a negative number of retries", call({ maxRetries: -1 }), /maxRetries must be an integer from 0, got -1$/],
    [
      "a walk without address",
      ({ transactions }) =>
        transactions({} as never)
          .pages()
          [Symbol.asyncIterator]()
          .next(),
      "transactions: address must be a string, got undefined",
    ],
    ["a mistyped address", read({ address: address.replace("QB", "QC") }), `${of}: address: wrong checksum; ${forms}`],
    ["an empty address", read({ address: "" }), /^getTransactionsStd: address: got "", expected an address, /],
    [
      "a hash of two letters",
      read({ lt: 5, hash: "zz" }),
      /^getTransactionsStd: hash: got "zz", expected 64 hexadecimal or 44 base64/,
    ],
    ["an lt without its hash", read({ lt: 5 }), `${of}: hash: missing; lt and hash should be used together`],
    ["a hash without its lt", read({ hash: "0".repeat(64) }), `${of}: lt: missing; lt and hash should be used together`],
    [
      "a mistyped address of a message",
      (chain) => chain.tryLocateSourceTx({ ...locate, destination: "0:cd", createdLt: 1 }),
      /^tryLocateSourceTx: destination: got "0:cd", expected an address, /,
    ],
    [
      "a walk of a mistyped address",
      walk({ address: address.replace("QB", "QC") }),
      `${of}: address: wrong checksum; ${forms}`,
    ],
    ["a page size of 0", walk({ pageSize: 0 }), "transactions: pageSize must be an integer from 1 to 1000, got 0"],
    ["maxItems of NaN", walk({ maxItems: Number.NaN }), /maxItems must be .*, got NaN$/],
    ["toLt below 0", walk({ toLt: -1 }), /toLt must be an integer from 0 .*, got -1$/],
    ["a cursor as text", walk({ cursor: "5" }), /cursor must be an object, got "5"$/],
  ])("rejects %s before any request", async ([, call, message]) => {
    await using server = await startFaultServer(succeed);
    let slots = 0;
    const rateLimit = { acquire: async () => () => void slots++, pause() {} };
    const error = await failureOf(Promise.resolve(call(createClient({ baseUrl: server.url, rateLimit }))));
    expect(slots).toBe(0);
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error).toMatchObject({
      name: "InvalidArgumentError",
      code: "INVALID_ARGUMENT",
      attempts: 0,
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
    expect(server.seen).toEqual([]);
  });

  test.for<[name: string, empty: unknown]>([
    ["an empty object", {}],
    ["undefined", undefined],
    ["null", null],
  ])("takes options after %s for an operation without inputs, as JavaScript may write it", async ([, empty]) => {
    await using server = await startFaultServer(succeed);
    const read = createClient({ baseUrl: server.url }).getMasterchainInfo as (...args: unknown[]) => Promise<unknown>;
    expect(await failureOf(read(empty, { signal: AbortSignal.abort() }))).toMatchObject({ code: "ABORTED" });
    expect(await failureOf(read({ seqno: 5 }, {}))).toMatchObject({
      message: "getMasterchainInfo: input must be among nothing, got seqno",
    });
    expect(server.seen).toEqual([]);
  });

  test("takes null as no options", async () => {
    await using server = await startFaultServer(succeed);
    await createClient({ baseUrl: server.url }).getMasterchainInfo(null as never);
    expect(server.seen).toHaveLength(1);
  });

  test.for<bigint | number | string>([13n, 13, "13"])("takes %o wherever the contract has an integer", async (seqno) => {
    await using server = await startFaultServer(succeed);
    const chain = createClient({ baseUrl: server.url, rateLimit: false });
    await chain.lookupBlock({ workchain: "-1", shard: -1n, seqno });
    await chain.getAddressInformation({ address: source, seqno });
    await chain.getTransactionsStd({ address: source, limit: seqno });
    expect(server.seen.map(({ body, url }) => body || url)).toEqual([
      '{"workchain":-1,"shard":"-1","seqno":13}',
      `{"address":"${source}","seqno":"13"}`,
      `/api/v2/getTransactionsStd?address=${encodeURIComponent(source)}&limit=13`,
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
    await createClient({ baseUrl: server.url }).getTransactionsStd({ address, lt, hash: "0".repeat(64) });
    expect(server.seen[0]?.url).toBe(`/api/v2/getTransactionsStd?address=${address}&lt=${sent}&hash=${"0".repeat(64)}`);
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
