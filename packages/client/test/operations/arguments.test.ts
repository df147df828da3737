import { describe, expect, test } from "vitest";
import {
  type ClientOptions,
  createClient,
  createLimiter,
  InvalidArgumentError,
  type RateLimit,
  type TransactionsInput,
} from "../../src/index.ts";
import { failureOf, startFaultServer, succeed } from "../fault-server.ts";

const address = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
const options = "baseUrl, apiKey, timeoutMs, deadlineMs, retry, rateLimit, hooks, validate, fetch, headers";
const accepted = "as bigint, safe integer or decimal digits";

describe("createClient", () => {
  const url = "baseUrl must be an absolute http(s) URL";
  const retry = "{ maxRetries, baseDelayMs, maxDelayMs, statuses }";

  /** A message is whole if it is a text. */
  test.for<[options: unknown, message: RegExp | string]>([
    ["https://node.example", `options must be an object, { ${options} }, got a string`],
    [{ baseUrl: undefined }, `${url}, got undefined`],
    [{ baseUrl: "/api" }, `${url}, got "/api"`],
    [{ baseUrl: "host:80" }, `${url} such as "https://host:80", got "host:80"`],
    [{ baseUrl: "localhost:4010" }, `${url} such as "http://localhost:4010", got "localhost:4010"`],
    [{ baseUrl: "ftp://node.example" }, /baseUrl must be an absolute http/],
    [{ baseUrl: new URL("https://node.example") }, `${url} as a string, got a URL`],
    [{ baseUrl: "https://user:secret@node.example" }, `${url} without credentials, query and spaces, got a string`],
    [{ baseUrl: "http://node.example?a=b" }, /baseUrl must be an absolute http/],
    [{ baseUrl: "http://node.example/a b" }, /baseUrl must be an absolute http/],
    [{ baseUrl: "http://node.example/ " }, "baseUrl ends with a space; trim it"],
    [{ baseUrl: "http://node.example\r\n" }, "baseUrl ends with a line break; trim it"],
    [{ baseUrl: "http://" }, /baseUrl must be an absolute http/],
    // The nearest name: with another ending or case, a part, letters swapped, replaced or too much, plural and singular.
    [{ timeout: 5 }, `options must be among ${options}, got timeout; did you mean timeoutMs?`],
    [{ baseURL: "x" }, /, got baseURL; did you mean baseUrl\?$/],
    [{ url: "http://node.example" }, /, got url; did you mean baseUrl\?$/],
    [{ key: "a" }, /, got key; did you mean apiKey\?$/],
    [{ hoosk: {} }, /, got hoosk; did you mean hooks\?$/],
    [{ fitch: fetch }, /, got fitch; did you mean fetch\?$/],
    [{ rettry: false }, /, got rettry; did you mean retry\?$/],
    [{ retries: 3 }, /, got retries; did you mean retry\?$/],
    [{ retry: { maxRetry: 2 } }, /, got maxRetry; did you mean maxRetries\?$/],
    [{ retry: { retries: 1 } }, /retry: options must be among maxRetries, .*, got retries; did you mean maxRetries\?$/],
    [{ hooks: { onReqest() {} } }, /hooks: options must be among onCall, onWait, .*, got onReqest; did you mean onRequest\?$/],
    [{ toString: 5 }, /options must be among .*, got toString$/],
    [{ logger: console }, /options must be among .*, got logger$/],
    [{ timeoutMs: 0 }, /timeoutMs must be a positive number, got 0$/],
    [{ timeoutMs: "5s" }, 'timeoutMs must be a positive number, got "5s"'],
    [{ apiKey: "" }, 'apiKey must be visible ASCII without spaces, a function or undefined, got ""'],
    [{ apiKey: "secret\n" }, "apiKey ends with a line break; trim it"],
    [{ apiKey: " secret" }, "apiKey begins with a space; trim it"],
    [{ apiKey: "\ufeffsecret" }, "apiKey begins with a byte order mark; trim it"],
    [{ apiKey: "sec\nret" }, "apiKey must be visible ASCII without spaces, a function or undefined, got a string"],
    [{ retry: 5 }, `retry must be false or an object, ${retry}, got 5`],
    [{ retry: [] }, /retry must be false or an object/],
    [{ retry: { maxRetries: 0.5 } }, /retry: maxRetries must be an integer from 0, got 0.5$/],
    [{ retry: { statuses: 500 } }, /statuses must be an array of HTTP statuses, got 500$/],
    [{ retry: { statuses: ["503"] } }, /statuses must be an array of HTTP statuses, got an Array$/],
    [{ rateLimit: { requests: 1 } }, /perMs must be a positive number, got undefined$/],
    [{ rateLimit: 5 }, /rateLimit must be false, an object, .* or a limiter, got 5$/],
    [{ rateLimit: { acquire: 5, pause: 5 } }, /rateLimit must be false, an object, /],
    [{ hooks: () => {} }, /hooks must be an object of hooks or an array of them, got a Function$/],
    [{ hooks: null }, /hooks must be .*, got null$/],
    [{ hooks: { onRequest: 1 } }, /hooks: onRequest must be a function, got 1$/],
    [{ fetch: "fetch" }, /fetch must be a function, got "fetch"$/],
    [{ headers: [["x-one", "1"]] }, /headers must be an object of headers, got an Array$/],
    [{ headers: { "x y": "1" } }, 'headers must be an object of headers, got a name with " "'],
    [{ headers: { a: "1", b: "secret\n2" } }, 'headers["b"] must be a text in Latin letters on one line, got a string'],
  ])("rejects %o", ([given, message]) => {
    const whole = (typeof given === "string" ? given : { baseUrl: "http://node.invalid", ...Object(given) }) as ClientOptions;
    expect(() => createClient(whole)).toThrow(InvalidArgumentError);
    const expected = expect.objectContaining({ message: `createClient: ${message}` });
    expect(() => createClient(whole)).toThrow(typeof message === "string" ? expected : message);
  });

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
  const block = { workchain: -1, shard: "-9223372036854775808" };
  const [source, destination] = [`0:${"ab".repeat(32)}`, `0:${"cd".repeat(32)}`];
  const locate = { source, destination };
  const mistyped = address.replace("QB", "QC");

  type Call = readonly [operation: string, input: unknown];
  const account = (input: unknown): Call => ["getAddressInformation", input];
  const lookup = (input: object): Call => ["lookupBlock", { ...block, ...input }];
  const read = (input: object): Call => ["getTransactionsStd", { address, ...input }];
  const head = (options: object): Call => ["getMasterchainInfo", options];
  const walk = (input: object): Call => ["transactions", { address: source, ...input }];

  const forms = "an address is workchain:64 hexadecimal digits or 48 characters of base64";
  const lt = `lt must be an integer from 0 to 9223372036854775807 ${accepted}`;
  const shard = `shard must be an integer from -9223372036854775808 to 18446744073709551615 ${accepted}`;

  /** A message is whole but for its place if it is a text; the place is the operation, unless it is given. */
  test.for<[...call: Call, message: RegExp | string, place?: string]>([
    [...account(address), "input must be an object, { address, seqno }, got a string"],
    [...account([address]), /must be an object, .*, got an Array$/],
    [...account(undefined), "address must be a string, got undefined"],
    [...account({ address: 5 }), "address must be a string, got 5"],
    [...account({ address: source, seqno: "4294967296" }), /from 1 to 4294967295 as bigint.*, got "4294967296"$/],
    [...lookup({ seqno: 1.5 }), "seqno must be an integer from 1 to 4294967295, got 1.5"],
    [...lookup({ seqno: "5e3" }), /seqno must be an integer .*, got "5e3"$/],
    [...lookup({ seqno: 0 }), /seqno must be an integer from 1 to 4294967295, got 0$/],
    [...lookup({ lt: 2n ** 63n }), `${lt}, got 9223372036854775808`],
    [
      ...lookup({ lt: 2 ** 60 }),
      `${lt}, got 1152921504606847000; a number of this size has lost digits, write a bigint or a string`,
    ],
    [...lookup({ lt: "-1" }), /lt must be an integer from 0 .*, got "-1"$/],
    [...lookup({ lt: "0x5" }), /lt must be .*, got "0x5"$/],
    [...lookup({ lt: "" }), /lt must be .*, got ""$/],
    [...lookup({ lt: ["5"] }), /lt must be .*, got an Array$/],
    [...lookup({ lt: "9".repeat(500) }), /lt must be .*, got "9{80}"$/],
    [...lookup({ lt: 1, shard: -(2n ** 63n) - 1n }), `${shard}, got -9223372036854775809`],
    [...lookup({ seqno: 1, shard: "8000000000000000" }), `${shard}, got "8000000000000000"; write 0x8000000000000000n`],
    [...lookup({ seqno: 1, shard: "0xA000000000000000" }), `${shard}, got "0xA000000000000000"; write 0xA000000000000000n`],
    [...lookup({ seqno: 1, shard: undefined }), `${shard}, got undefined`],
    [...lookup({ lt: 1, seqno: 2 }), "input must have exactly one of seqno, lt, unixtime, got seqno and lt"],
    [...lookup({}), "input must have exactly one of seqno, lt, unixtime, got none"],
    [...read({ limit: 1001 }), /limit must be an integer from 1 to 1000, got 1001$/],
    [...read({ archival: "yes" }), /archival must be a boolean, got "yes"$/],
    [...read({ to_lt: 1 }), /, got to_lt; did you mean toLt\?$/],
    [...read({ address: mistyped }), `address: wrong checksum; ${forms}`],
    [...read({ address: "" }), /^getTransactionsStd: address: got "", expected an address, /],
    [...read({ lt: 5, hash: "zz" }), /^getTransactionsStd: hash: got "zz", expected 64 hexadecimal or 44 base64/],
    [...read({ lt: 5 }), "hash: missing; lt and hash should be used together"],
    [...read({ hash: "0".repeat(64) }), "lt: missing; lt and hash should be used together"],
    [
      "tryLocateResultTx",
      { ...locate, created_lt: 1 },
      /among source, destination, createdLt, got created_lt; did you mean createdLt\?$/,
    ],
    ["tryLocateSourceTx", { ...locate, destination: "0:cd", createdLt: 1 }, /: destination: got "0:cd", expected an address, /],
    [...head({ timeout: 5 }), /options must be among signal, timeoutMs.*, got timeout; did you mean timeoutMs\?$/],
    [...head({ seqno: 5 }), "options must be among signal, timeoutMs, deadlineMs, maxRetries, headers, got seqno"],
    [...head({ headers: { "": "1" } }), "headers must be an object of headers, got a name of no characters"],
    [...head({ signal: {} }), /signal must be an AbortSignal, got an Object$/],
    [...head({ signal: new AbortController() }), "signal must be an AbortSignal, got an AbortController"],
    [...head({ maxRetries: -1 }), /maxRetries must be an integer from 0, got -1$/],
    [...walk({ address: undefined }), "address must be a string, got undefined"],
    [...walk({ address: mistyped }), `address: wrong checksum; ${forms}`, "getTransactionsStd"],
    [...walk({ pageSize: 0 }), "pageSize must be an integer from 1 to 1000, got 0"],
    [...walk({ maxItems: Number.NaN }), /maxItems must be .*, got NaN$/],
    [...walk({ toLt: -1 }), /toLt must be an integer from 0 .*, got -1$/],
    [...walk({ cursor: "5" }), /cursor must be an object, got "5"$/],
  ])("of %s: rejects %o before any request", async ([operation, input, message, place = operation]) => {
    await using server = await startFaultServer(succeed);
    let slots = 0;
    const rateLimit = { acquire: async () => () => void slots++, pause() {} };
    const chain = createClient({ baseUrl: server.url, rateLimit });
    const call = chain[operation as "transactions"](input as TransactionsInput);
    const error = await failureOf(operation === "transactions" ? call[Symbol.asyncIterator]().next() : (call as never));
    expect(slots).toBe(0);
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error).toMatchObject({
      name: "InvalidArgumentError",
      code: "INVALID_ARGUMENT",
      attempts: 0,
      message: typeof message === "string" ? `${place}: ${message}` : expect.stringMatching(message),
    });
    expect(server.seen).toEqual([]);
  });

  test.for([{}, undefined, null])("takes options after %j for an operation without inputs, as in JavaScript", async (empty) => {
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
