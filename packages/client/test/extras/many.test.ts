import { describe, expect, expectTypeOf, onTestFinished, test, vi } from "vitest";
import { type Many, many, type Outcome } from "../../src/extras.ts";
import {
  AbortedError,
  type BlockId,
  createClient,
  type FullAccountState,
  InvalidArgumentError,
  type LookupBlockInput,
  NotFoundError,
} from "../../src/index.ts";
import { apiFailure, type FakeResponses, fakeFetch, fixtures } from "../../src/testing.ts";
import { failureOf } from "../fault-server.ts";

const block = fixtures.lookupBlock["by-seqno"];
const shard = block.shard;
const inputOf = (seqno: number): LookupBlockInput => ({ workchain: -1, shard, seqno });
const inputs = (count: number): LookupBlockInput[] => Array.from({ length: count }, (_, index) => inputOf(index + 1));
const soon = (read: () => unknown) => expect.poll(read, { interval: 1 });

type Respond = Extract<FakeResponses["lookupBlock"], (...all: never[]) => unknown>;
const echo: Respond = ({ seqno }) => ({ ...block, seqno: Number(seqno) });

function fake(lookupBlock: NonNullable<FakeResponses["lookupBlock"]>, options: object = {}) {
  const fetch = fakeFetch({ lookupBlock });
  return { fetch, chain: createClient({ baseUrl: "http://node.test", rateLimit: false, retry: false, fetch, ...options }) };
}

/** A response that comes when the test says so, or never if the request is aborted. */
function held() {
  const open: { seqno: number; respond: () => void; signal: AbortSignal }[] = [];
  const response: Respond = ({ seqno }, request) =>
    new Promise((resolve, reject) => {
      const respond = () => resolve({ ...block, seqno: Number(seqno) });
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
      open.push({ seqno: Number(seqno), respond, signal: request.signal });
    });
  return { open, response };
}

async function first<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item;
  return undefined;
}

describe("many", () => {
  test("yields the outcome of each input, in their order, however long each call takes", async () => {
    const { open, response } = held();
    const { chain } = fake(response);
    const all = many(chain.lookupBlock, inputs(10), { concurrency: 3 }).all();
    for (let done = 0; done < 10; done++) {
      await soon(() => open.length).toBeGreaterThan(0);
      open.pop()?.respond();
    }
    const outcomes = await all;
    expect(outcomes.map(({ input }) => input)).toEqual(inputs(10));
    expect(outcomes.map((each) => each.ok && each.result.seqno)).toEqual(inputs(10).map((_, index) => index + 1));
  });

  test("has no more calls at once than its concurrency, and fills the place of each that ends", async () => {
    const { open, response } = held();
    const { chain, fetch } = fake(response);
    const all = many(chain.lookupBlock, inputs(12), { concurrency: 4 }).all();
    const seen: number[] = [];
    for (let done = 0; done < 12; done++) {
      await soon(() => open.length).toBe(Math.min(4, 12 - done));
      seen.push(fetch.requests.length);
      // The first call ends last, and holds none of the others up.
      (open.length > 1 ? open.splice(1, 1) : open)[0]?.respond();
    }
    expect(seen).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 12, 12]);
    expect(await all).toHaveLength(12);
  });

  test("makes values of failures, and keeps on", async () => {
    const { chain } = fake((input, request) => (input.seqno === 2 ? apiFailure(404) : echo(input, request)));
    const outcomes = await many(chain.lookupBlock, [...inputs(2), inputOf(0), inputOf(3)]).all();
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, false, true]);
    const errors = outcomes.flatMap((each) => (each.ok ? [] : [each.error]));
    expect(errors).toEqual([expect.any(NotFoundError), expect.any(InvalidArgumentError)]);
  });

  test("takes inputs as calls begin, so that they may have no end, and aborts what has begun after break", async () => {
    const { open, response } = held();
    const { chain } = fake((input, request) => (input.seqno === 1 ? block : response(input, request)));
    let taken = 0;
    let isClosed = false;
    function* endless() {
      try {
        for (;;) yield inputOf(++taken);
      } finally {
        isClosed = true;
      }
    }
    const outcomes = many(chain.lookupBlock, endless(), { concurrency: 3 });
    expect(taken).toBe(0);
    for await (const { input, ok } of outcomes) {
      expect([input, ok]).toEqual([inputOf(1), true]);
      await soon(() => open.length).toBe(3);
      break;
    }
    expect(open.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
    expect(taken).toBe(4);
    await soon(() => isClosed).toBe(true);
  });

  test("yields an outcome before the next input of a stream has come", async () => {
    const { chain } = fake(echo);
    let send: (seqno: number) => void = () => {};
    async function* stream() {
      yield inputOf(1);
      yield inputOf(await new Promise<number>((resolve) => (send = resolve)));
    }
    const outcomes = many(chain.lookupBlock, stream())[Symbol.asyncIterator]();
    expect((await outcomes.next()).value).toMatchObject({ ok: true, input: inputOf(1) });
    send(7);
    expect((await outcomes.next()).value).toMatchObject({ ok: true, input: inputOf(7) });
    expect(await outcomes.next()).toEqual({ done: true, value: undefined });
  });

  test("holds back inputs while their outcomes are not taken", async () => {
    const { chain, fetch } = fake(echo);
    const outcomes = many(chain.lookupBlock, inputs(100), { concurrency: 2 })[Symbol.asyncIterator]();
    await outcomes.next();
    await soon(() => fetch.requests.length).toBe(21);
    await outcomes.next();
    await soon(() => fetch.requests.length).toBe(22);
    await outcomes.return?.();
  });

  test("throws what its inputs throw, after the outcomes before it", async () => {
    const { chain } = fake(echo);
    function* broken() {
      yield inputOf(1);
      throw new RangeError("no more");
    }
    const seen: Outcome<LookupBlockInput, BlockId>[] = [];
    const iterate = async () => {
      for await (const outcome of many(chain.lookupBlock, broken())) seen.push(outcome);
    };
    await expect(iterate()).rejects.toThrow(new RangeError("no more"));
    expect(seen).toHaveLength(1);
  });

  test("throws errors of the caller's own code, and leaves none of them unhandled", async () => {
    const onRequest = (): never => {
      throw new RangeError("theirs");
    };
    const { chain } = fake(echo, { middleware: [{ onRequest }] });
    await expect(many(chain.lookupBlock, inputs(3)).all()).rejects.toThrow(new RangeError("theirs"));
  });

  test("passes its options to each call, and goes through the limiter of the client", async () => {
    const acquired: (AbortSignal | undefined)[] = [];
    const rateLimit = { acquire: async (signal?: AbortSignal) => void acquired.push(signal), pause: () => {} };
    const { chain, fetch } = fake(echo, { rateLimit });
    await many(chain.lookupBlock, inputs(5), { headers: { "x-team": "wallet" } }).all();
    expect(acquired).toHaveLength(5);
    expect(fetch.requests.map(({ headers }) => headers["x-team"])).toEqual(Array(5).fill("wallet"));
  });

  test.for([[{ concurrency: 0 }], [{ concurrency: 1.5 }], [{ timeoutMs: -1 }], [{ signal: 5 }], [{ parallel: 2 }]])(
    "rejects %j",
    ([options]) => {
      const { chain } = fake(echo);
      expect(() => many(chain.lookupBlock, [], options as object)).toThrow(InvalidArgumentError);
    },
  );

  const lookupBlock = () => fake(echo).chain.lookupBlock;
  const method = "call must be a method of a client, such as chain.lookupBlock";
  const iterable = "inputs must be an array or another iterable of objects";
  const known = "concurrency, signal, timeoutMs, deadlineMs, maxRetries, headers";

  test.for<[name: string, args: () => unknown[], message: string]>([
    ["a name", () => ["getAddressInformation", []], `${method}, got "getAddressInformation"`],
    ["no method", () => [undefined, []], `${method}, got undefined`],
    ["no inputs", () => [lookupBlock()], `${iterable}, got undefined`],
    ["one input", () => [lookupBlock(), inputOf(1)], `${iterable}, got an Object`],
    ["a text as inputs", () => [lookupBlock(), "0:ab"], `${iterable}, got "0:ab"`],
    [
      "a mistyped option",
      () => [lookupBlock(), [], { concurency: 5 }],
      `options must be among ${known}, got concurency; did you mean concurrency?`,
    ],
  ])("rejects %s before any call", ([, args, message]) => {
    const call = many as (...all: unknown[]) => unknown;
    const error = expect.objectContaining({ code: "INVALID_ARGUMENT", message: `many: ${message}` });
    expect(() => call(...args())).toThrow(error);
  });

  test("rejects a walk, which is not one call", async () => {
    const { chain } = fake(echo);
    const error = await failureOf(many(chain.transactions as never, [{ address: "" }]).all());
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: `many: ${method}, got one that returns an Object` });
  });

  test("has the frames of its caller in the stack of each failure", async () => {
    const { chain } = fake(apiFailure(404));
    const theCaller = () => many(chain.lookupBlock, inputs(1)).all();
    const [outcome] = await theCaller();
    if (outcome?.ok !== false) throw new Error("it should fail");
    expect(outcome.error.stack).toMatch(/^NotFoundError: lookupBlock: [\s\S]*\n {4}at many [^\n]*\n {4}at theCaller /);
    const theAborted = () => many(chain.lookupBlock, [], { signal: AbortSignal.abort() }).all();
    expect(await failureOf(theAborted())).toHaveProperty("stack", expect.stringContaining("at theAborted "));
  });

  test("has the types of the operation", () => {
    const { chain } = fake(echo);
    expectTypeOf(many(chain.lookupBlock, inputs(1))).toEqualTypeOf<Many<LookupBlockInput, BlockId>>();
    const accounts = many(chain.getAddressInformation, [{ address: "" }]);
    expectTypeOf(accounts).toEqualTypeOf<Many<{ address: string }, FullAccountState>>();
    // @ts-expect-error an input of another operation
    many(chain.getAddressInformation, inputs(1));
    // @ts-expect-error an operation without input
    many(chain.getConsensusBlock, [{ seqno: 1 }]);
  });
});

describe("a signal of many", () => {
  test("aborts the calls, begins no more, and ends the iteration with its reason", async () => {
    const { open, response } = held();
    const { chain, fetch } = fake(response);
    const controller = new AbortController();
    const all = many(chain.lookupBlock, inputs(50), { concurrency: 3, signal: controller.signal }).all();
    await soon(() => open.length).toBe(3);
    controller.abort("the user left");
    const error = await failureOf(all);
    expect(error).toBeInstanceOf(AbortedError);
    const message = "many: aborted by its signal: the user left";
    expect(error).toMatchObject({ message, operation: "many", cause: "the user left" });
    expect(fetch.requests).toHaveLength(3);
  });

  test("has one listener, and so has that of each call, however many calls there are at once", async () => {
    const { open, response } = held();
    const { chain } = fake(response);
    const added = vi.spyOn(AbortSignal.prototype, "addEventListener");
    onTestFinished(() => added.mockRestore());
    const { signal } = new AbortController();
    const all = many(chain.lookupBlock, inputs(24), { concurrency: 24, signal }).all();
    await soon(() => open.length).toBe(24);
    expect(added.mock.contexts.filter((listened) => listened === signal)).toHaveLength(1);
    // A Request and its fetch may listen too.
    const { contexts } = added.mock;
    const most = Math.max(...[...new Set(contexts)].map((each) => contexts.filter((other) => other === each).length));
    expect(most).toBeLessThan(5);
    for (const { respond } of open) respond();
    expect(await all).toHaveLength(24);
  });

  test("that has been aborted before sends nothing", async () => {
    const { chain, fetch } = fake(echo);
    const outcomes = many(chain.lookupBlock, inputs(2), { signal: AbortSignal.abort() });
    expect(await failureOf(first(outcomes))).toBeInstanceOf(AbortedError);
    expect(fetch.requests).toEqual([]);
  });

  test("ends the iteration while it waits for an input", async () => {
    const { chain } = fake(echo);
    const controller = new AbortController();
    async function* never() {
      controller.abort("enough");
      yield await new Promise<LookupBlockInput>(() => {});
    }
    const error = await failureOf(many(chain.lookupBlock, never(), { signal: controller.signal }).all());
    expect(error).toMatchObject({ code: "ABORTED", cause: "enough" });
  });
});
