import { readFileSync } from "node:fs";
import bundle from "@chain-query/openapi/openapi.json" with { type: "json" };
import { info, operations, type Schema } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { completions, completionsOf, hovers, hoversOf, problems, signatures } from "./editor.ts";

const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

describe("hovering over a method", () => {
  test.for([
    ["alone", () => hovers(operations.map(({ id }) => `chain.^${id};`).join("\n"))],
    ["in a call", () => signatures(operations.map(({ id }) => `chain.${id}(^);`).join("\n"))],
  ] as const)("%s shows its text, a call and a link", ([, ask]) => {
    const shown = ask();
    for (const [index, { id, summary, description, docsUrl, inputs }] of operations.entries()) {
      const { type, text, tags } = shown[index] ?? expect.unreachable();
      expect(type).toMatch(inputs.length > 0 ? /\(input: \w+Input, options\?: CallOptions\)/ : /\(options\?: CallOptions\)/);
      expect(type).toMatch(/QueryPromise<[A-Z][A-Za-z]+>$/);
      expect(text).toBe(`${summary}.\n\n${description}`);
      expect(tags["example"]).toContain(`await chain.${id}(`);
      expect(tags["see"]).toBe(docsUrl);
    }
    const examples = shown.map(({ tags }) => tags["example"]?.replaceAll(/```(ts)?/g, ""));
    expect(problems(examples.map((example) => `{${example}}`).join("\n"))).toEqual([]);
  });

  test("of the queries shows its text too", () => {
    expect(hovers(operations.map(({ id }) => `queries.^${id};`).join("\n")).map(({ text }) => text)).toEqual(
      operations.map(({ summary, description }) => `${summary}.\n\n${description}`),
    );
  });
});

test.for([
  ["chain.getTransactionsStd({ address: '', lt: 1n, hash: '' });", true],
  ["chain.getTransactionsStd({ address: '', lt: undefined, hash: undefined, limit: 5 });", true],
  ["chain.getTransactionsStd({ address: '' });", true],
  ["chain.getTransactionsStd({ address: '', lt: 1n });", false],
  ["chain.getTransactionsStd({ address: '', hash: '' });", false],
  ["chain.getTransactionsStd({ address: '', lt: 1n, hash: undefined });", false],
  ["chain.transactions({ address: '', cursor: { lt: '1', hash: '' } });", true],
  ["chain.transactions({ address: '', cursor: { lt: '1' } });", false],
  ["chain.transactions({ address: '', cursor: { hash: '' } });", false],
] as const)("%s compiles: %s", ([program, compiles]) => {
  expect(problems(program).length === 0).toBe(compiles);
});

test("hovering over an input shows its text, an example and a link", () => {
  const inputs = operations.flatMap(({ id, inputs, oneOf, docsUrl }) =>
    inputs.map(({ name, kind, description }) => {
      const value = { integer: "5", boolean: "true" }[String(kind)] ?? '""';
      const program = `chain.${id}({ ^${camelCase(name)}: ${value} });`;
      return { program, description, isChoice: oneOf.includes(name), docsUrl };
    }),
  );
  const shown = hoversOf(inputs.map(({ program }) => program));
  for (const [index, { program, description, isChoice, docsUrl }] of inputs.entries()) {
    const { text, tags } = shown[index] ?? expect.unreachable();
    expect(text.startsWith(description), program).toBe(true);
    expect(text.includes("Exactly one of `seqno`, `lt` and `unixtime` is required."), program).toBe(isChoice);
    expect(tags["example"], program).toBeTruthy();
    expect(tags["see"], program).toBe(docsUrl);
  }
});

test("hovering over a member of a type shows its text", () => {
  const options = ["ClientOptions", "CallOptions"];
  const own = ["TransactionsInput", "TransactionIterator", "Cursor", "TransactionsPage", "Hooks", "Call", "Logger"];
  const limits = ["Retry", "RateLimit", "Limiter"];
  const errors = ["CallInfo", "ChainQueryError", "ApiError", "ParseError", "ResponseValidationError", "RateLimitError"];
  const helpers = ["WatchTransactionsOptions", "NanoFormat", "BigintTransactionIterator", "BigintTransactionsPage"];
  const types = [...options, ...own, ...limits, ...errors, ...helpers].map((name) => `client.${name}`);
  const [ofErrors = [], ...offered] = completionsOf(['new Error("").^', ...types.map((type) => `let it!: ${type}; it.^`)]);
  const programs = types.flatMap((type, index) => {
    const names = offered[index]?.filter((member) => !ofErrors.includes(member)) ?? [];
    return names.map((member) => `let it!: ${type}; it.^${member};`);
  });
  expect(programs.length).toBeGreaterThan(75);
  for (const [index, { text }] of hoversOf(programs).entries()) {
    expect(text, programs[index]).toMatch(/^[A-Z`"].*\.$/s);
  }
});

describe("hovering over a member of a response", () => {
  /** The paths of all members of a schema, such as `last.seqno`, with their schemas. */
  function membersOf({ properties = {}, items, oneOf = [] }: Schema, way: string): [way: string, schema: Schema][] {
    if (items !== undefined) return membersOf(items, `${way}[0]!`);
    const [first] = oneOf;
    if (first !== undefined) return membersOf(first, `(${way} as client.RawContent)`);
    return Object.entries(properties).flatMap(([name, member]) => {
      const place = /^\w+$/.test(name) ? `${way}!.^${name}` : `${way}!["^${name}"]`;
      return [[place, member] as [string, Schema], ...membersOf(member, place.replace("^", ""))];
    });
  }

  test("shows its text, an example and a link", () => {
    const responses = operations.map(({ id, result }) => ({ id, members: membersOf(result, "result") }));
    const programs = responses.map(({ id, members }) => {
      const lines = members.map(([way]) => `${way};`).join("\n");
      return `const result = await chain.${id}(0 as never);\n${lines}`;
    });
    const shown = hoversOf(programs);
    expect(shown.map(({ text }) => text)).toEqual(
      responses.flatMap(({ members }) => members.map(([, { description }]) => description)),
    );
    expect(shown.filter(({ tags }) => !tags["example"]).map(({ type }) => type)).toEqual([]);
    expect(shown.filter(({ tags }) => !tags["see"]?.startsWith(info.docsUrl)).map(({ type }) => type)).toEqual([]);
    expect(shown.filter(({ type }) => /components|schemas/.test(type))).toEqual([]);
  });

  test("shows the names of types", () => {
    const shown = hovers(`
      const ^info = await chain.getMasterchainInfo();
      const ^block = info.^last;
      const ^page = await chain.getTransactionsStd({ address: "" });
      const ^message = page.transactions[0]?.in_msg;
      const ^located = await chain.tryLocateSourceTx(0 as never);
      const ^other = located.in_msg;
      const ^response = await chain.getAddressInformation({ address: "" }).safe();`);
    expect(shown.map(({ type }) => type)).toEqual([
      "const info: MasterchainInfo",
      "const block: BlockId",
      "(property) last: BlockId",
      "const page: Transactions",
      "const message: Message | undefined",
      "const located: LocatedTransaction",
      "const other: LocatedMessage | undefined",
      "const response: Safe<FullAccountState>",
    ]);
  });

  test("shows the names of types with bigints, and the text of their members", () => {
    const start = `import { createQueries as of } from "../../src/query.ts";
      const exact = client.withBigints(chain);`;
    const shown = hovers(`${start}
      const ^account = await exact.getAddressInformation({ address: "" });
      account.^balance; account.^last_transaction_id.^lt;
      exact.^lookupBlock;
      const ^response = await exact.tryLocateResultTx(0 as never).safe();
      for await (const ^tx of exact.transactions({ address: "" })) tx.^fee;
      const { ^transactions } = await exact.getTransactionsStd({ address: "" });
      const ^data = of(exact).getMasterchainInfo().^queryFn;`);
    expect(shown.map(({ type }) => type)).toEqual([
      "const account: BigintFullAccountState",
      "(property) balance: bigint",
      "(property) last_transaction_id: BigintTransactionId",
      "(property) lt: bigint",
      "(property) lookupBlock: (input: LookupBlockInput, options?: CallOptions) => QueryPromise<BigintBlockId>",
      "const response: Safe<BigintLocatedTransaction>",
      "const tx: BigintTransaction",
      "(property) fee: bigint",
      "const transactions: BigintTransaction[]",
      expect.stringContaining("Promise<BigintMasterchainInfo>"),
      expect.stringContaining("Promise<BigintMasterchainInfo>"),
    ]);
    expect(shown[1]?.text).toMatch(/^[A-Z].*\.$/s);
    expect(shown[7]?.tags["see"]).toContain("/reference/");
  });

  test("explains which of the two messages has a comment as text", () => {
    expect(hovers("type A = client.^Message;")[0]?.text).toContain("message is only on a message of the locate operations");
  });
});

describe("completion", () => {
  const codes = [
    ...["INVALID_ARGUMENT", "CONNECTION", "TIMEOUT", "ABORTED", "PARSE", "RESPONSE_VALIDATION"],
    ...["API", "BAD_REQUEST", "AUTHENTICATION", "NOT_FOUND", "RATE_LIMIT", "SERVER"],
  ];

  test("offers the codes of errors, given by safe() or thrown", () => {
    const given =
      'const { error } = (await chain.getMasterchainInfo().safe()) as { error: client.CallError }; if (error.code === "^") {}';
    const thrown = 'try {} catch (error) { if (error instanceof client.ChainQueryError && error.code === "^") {} }';
    for (const offered of completionsOf([given, thrown])) expect(offered.toSorted()).toEqual(codes.toSorted());
  });

  test("offers the known states of an account, and others compile", () => {
    const account = 'const { state } = await chain.getAddressInformation({ address: "" });';
    expect(completions(`${account} if (state === "^") {}`)).toEqual(["active", "frozen", "uninitialized"]);
    expect(problems(`${account} if (state === "hibernating") {}`)).toEqual([]);
  });

  test("offers the known reasons of failures, and others compile", () => {
    const failed = "const { error } = (await chain.getMasterchainInfo().safe()) as { error: client.ApiError };";
    const known: string[] = bundle.components.schemas.FailureReason["x-extensible-enum"];
    expect(known.length).toBeGreaterThan(10);
    expect(completions(`${failed} if (error.reason === "^") {}`)).toEqual(known.toSorted());
    const text = "error.reason satisfies string | undefined; error.input satisfies string | undefined;";
    expect(problems(`${failed} if (error.reason === "of_another_deployment") {} ${text}`)).toEqual([]);
  });

  test("offers the members of an input", () => {
    expect(completions("chain.lookupBlock({ ^ });")).toEqual(["lt", "seqno", "shard", "unixtime", "workchain"]);
  });

  test("offers the operations of a fake and the names of fixtures", () => {
    expect(completions("fakeFetch({ ^ });")).toEqual(operations.map(({ id }) => id).sort());
    const { examples = [] } = operations.find(({ id }) => id === "lookupBlock") ?? {};
    const names = examples.flatMap(({ condition, response }) => (response.status === 200 ? [condition] : []));
    expect(completions("fixtures.lookupBlock.^")).toEqual(names.filter((name) => /^\w+$/.test(name)).sort());
  });
});

test("completion offers the operations and the examples of an override of the mock", () => {
  const mock = 'declare const mock: Awaited<ReturnType<typeof import("@chain-query/mock").startMock>>;';
  expect(completions(`${mock} mock.override("^");`)).toEqual(operations.map(({ id }) => id).sort());
  const lookup = operations.find(({ id }) => id === "lookupBlock")?.responses.flatMap(({ examples }) => Object.keys(examples));
  expect(completions(`${mock} mock.override("lookupBlock", "^");`)).toEqual([...new Set(lookup)].sort());
});

describe("a switch on the code of an error", () => {
  const program = (cases: string) => `
    function handle(error: client.CallError): string {
      switch (error.code) { ${cases} }
    }
    const response = await chain.getConsensusBlock().safe();
    if (!response.ok) handle(response.error);
    try {} catch (error) { if (error instanceof client.ChainQueryError) handle(error); }`;
  const cases = `
    case "RATE_LIMIT": error satisfies client.RateLimitError; return String(error.retryAfterMs);
    case "NOT_FOUND": error satisfies client.NotFoundError; return error.operation;
    case "BAD_REQUEST": case "AUTHENTICATION": case "SERVER": case "API": error satisfies client.ApiError; return String(error.status);
    case "TIMEOUT": error satisfies client.TimeoutError; return error.message;
    case "CONNECTION": error satisfies client.ConnectionError; return error.message;
    case "PARSE": return String(error.status);
    case "RESPONSE_VALIDATION": return error.issues.join();
    case "ABORTED": return String(error.cause);`;

  test("narrows to the class, and is exhaustive with all codes", () => {
    expect(problems(program(`${cases} case "INVALID_ARGUMENT": return error.message;`))).toEqual([]);
    expect(problems(program(cases))).toEqual([
      "Function lacks ending return statement and return type does not include 'undefined'.",
    ]);
  });

  test("narrows by instanceof too", () => {
    const narrowed = `
      const { error } = (await chain.getConsensusBlock().safe()) as { error: client.CallError };
      if (error instanceof client.RateLimitError) error.code satisfies "RATE_LIMIT";
      else if (error instanceof client.ApiError) error.code satisfies "API" | "BAD_REQUEST" | "AUTHENTICATION" | "NOT_FOUND" | "SERVER";
      else if (error instanceof client.ConnectionError) error.code satisfies "CONNECTION" | "TIMEOUT";
      else error.code satisfies "INVALID_ARGUMENT" | "ABORTED" | "PARSE" | "RESPONSE_VALIDATION";`;
    expect(problems(narrowed)).toEqual([]);
  });
});

test("links lead to the documentation that the contract names", () => {
  const sources = ["errors.ts", "operations/inputs.gen.ts", "operations/methods.gen.ts"];
  const text = sources.map((name) => readFileSync(new URL(`../../src/${name}`, import.meta.url), "utf8")).join("");
  const links = text.match(/https:\/\/chain-query[^\s`]*/g) ?? [];
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((link) => !link.startsWith(info.docsUrl))).toEqual([]);
});
