import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AnyTransaction, type TraceNode, trace } from "../../src/extras.ts";
import { AbortedError, createClient, ServerError } from "../../src/index.ts";
import { apiFailure, fakeFetch, fixtures } from "../../src/testing.ts";
import { failureOf } from "../fault-server.ts";

/** A message with the messages that its transaction sends. Pending ones have no transaction, outbound ones no destination. */
interface Sent {
  lt: number;
  kind: "processed" | "pending" | "outbound";
  sends: Sent[];
}

const template = fixtures.tryLocateResultTx.transfer;
const message = template.in_msg;
if (message === undefined) throw new Error("the fixture has a message");

function messageOf({ lt, kind }: Sent) {
  return {
    ...template.in_msg,
    ...message,
    created_lt: String(lt),
    destination: kind === "outbound" ? "" : "0:cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
  } as NonNullable<typeof message>;
}

function transactionOf(sent: Sent) {
  return {
    ...template,
    transaction_id: { ...template.transaction_id, lt: String(sent.lt + 1) },
    in_msg: messageOf(sent),
    out_msgs: sent.sends.map(messageOf),
  };
}

const everything = (sent: Sent): Sent[] => [sent, ...sent.sends.flatMap(everything)];

/** A deployment that knows the results of a message, and the greatest number of concurrent requests. */
function serve(root: Sent, failing: number[] = []) {
  const byLt = new Map(everything(root).map((sent) => [String(sent.lt), sent]));
  const load = { now: 0, most: 0 };
  const fetch = fakeFetch({
    tryLocateResultTx: async ({ created_lt }) => {
      load.most = Math.max(load.most, ++load.now);
      await new Promise((resolve) => setImmediate(resolve));
      load.now--;
      const sent = byLt.get(String(created_lt));
      if (failing.includes(Number(created_lt))) return apiFailure(500);
      return sent?.kind === "processed" ? transactionOf(sent) : apiFailure(404);
    },
  });
  const chain = createClient({ baseUrl: "http://node.test", rateLimit: false, retry: false, fetch });
  return { chain, fetch, load };
}

let lt = 0;
const sent = (kind: Sent["kind"], ...sends: Sent[]): Sent => ({ lt: ++lt, kind, sends });

interface Shape {
  lt: number;
  status: string;
  children: Shape[];
}
const shapeOf = ({ status, message: { created_lt } = message as NonNullable<typeof message>, children }: TraceNode): Shape => ({
  lt: Number(created_lt),
  status,
  children: children.map(shapeOf),
});
const expectedShape = ({ lt: at, kind, sends }: Sent): Shape => ({ lt: at, status: kind, children: sends.map(expectedShape) });

type Unnumbered = { kind: Sent["kind"]; sends: Unnumbered[] };

const kind = fc.constantFrom<Sent["kind"]>("processed", "processed", "processed", "pending", "outbound");
const below: (depth: number) => fc.Arbitrary<Unnumbered> = fc.memo((depth) =>
  fc.record({ kind, sends: depth > 1 ? fc.array(below(depth - 1), { maxLength: 4 }) : fc.constant([]) }),
);
const tree: fc.Arbitrary<Sent> = below(5).map((drawn) => numbered({ ...drawn, kind: "processed" }));

function numbered(drawn: Unnumbered): Sent {
  const at = ++lt;
  return { kind: drawn.kind, lt: at, sends: drawn.kind === "processed" ? drawn.sends.map(numbered) : [] };
}

describe("trace", () => {
  test("follows any tree of messages, with one request for each", async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (root) => {
        const { chain, fetch } = serve(root);
        const { root: found, isComplete } = await trace(chain, messageOf(root), { maxTransactions: 10_000, maxDepth: 100 });
        expect(shapeOf(found)).toEqual(expectedShape(root));
        const all = everything(root);
        expect(isComplete).toBe(all.every(({ kind }) => kind !== "pending"));
        expect(fetch.requests).toHaveLength(all.filter(({ kind }) => kind !== "outbound").length);
      }),
      { numRuns: 50, seed: 1 },
    );
  });

  test("begins at a transaction of a listing, at a located one, or at a locator", async () => {
    const root = sent("processed", sent("processed"), sent("pending"));
    const { chain, fetch } = serve(root);
    const [first] = fixtures.getTransactionsStd["first-page"].transactions;
    const raw = { ...first, in_msg: undefined, out_msgs: first?.out_msgs ?? [] } as unknown as AnyTransaction;
    expect((await trace(chain, raw)).root).toMatchObject({ status: "processed", message: undefined, transaction: raw });
    const requests = fetch.requests.length;
    const traced = await trace(chain, transactionOf(root));
    expect(shapeOf(traced.root)).toEqual(expectedShape(root));
    expect(fetch.requests.length - requests).toBe(2);
    const located = await trace(chain, {
      source: "0:abababababababababababababababababababababababababababababababab",
      destination: "0:cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
      createdLt: root.lt,
    });
    expect(located.root.message).toEqual(messageOf(root));
    const pending = await trace(chain, {
      source: "0:abababababababababababababababababababababababababababababababab",
      destination: "0:cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
      createdLt: 1_000_000,
    });
    expect(pending).toEqual({
      root: { status: "pending", message: undefined, transaction: undefined, children: [] },
      isComplete: false,
    });
  });

  test("stops at maxTransactions, nearest first, and at maxDepth", async () => {
    const root = sent(
      "processed",
      sent("processed", sent("processed")),
      sent("processed", sent("processed")),
      sent("outbound"),
    );
    const statuses = ({ status, children }: TraceNode): string[] => [status, ...children.flatMap(statuses)];
    const { chain, fetch } = serve(root);
    const bounded = await trace(chain, messageOf(root), { maxTransactions: 2 });
    expect(bounded.isComplete).toBe(false);
    expect(statuses(bounded.root)).toEqual(["processed", "processed", "unfollowed", "unfollowed", "outbound"]);
    expect(fetch.requests).toHaveLength(2);
    const shallow = await trace(chain, messageOf(root), { maxDepth: 1 });
    expect(statuses(shallow.root).filter((status) => status === "unfollowed")).toHaveLength(2);
    expect((await trace(chain, messageOf(root), { maxTransactions: 5, maxDepth: 2 })).isComplete).toBe(true);
  });

  test("sends at most `concurrency` requests at once", async () => {
    const root = sent("processed", ...Array.from({ length: 30 }, () => sent("processed")));
    const { chain, load } = serve(root);
    await trace(chain, messageOf(root));
    expect(load.most).toBe(8);
    const own = serve(root);
    await trace(own.chain, messageOf(root), { concurrency: 3 });
    expect(own.load.most).toBe(3);
  });

  test.for([undefined, null, "0:abababababababababababababababababababababababababababababababab", {}])(
    "rejects %o",
    async (from) => {
      const { chain } = serve(sent("processed"));
      expect(await failureOf(trace(chain, from as AnyTransaction))).toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringMatching(/^trace: message must be a message or its locator, /),
      });
    },
  );

  test("ends with the first error, and leaves no request", async () => {
    const failing = sent("processed");
    const root = sent("processed", failing, ...Array.from({ length: 30 }, () => sent("processed")));
    const { chain, fetch, load } = serve(root, [failing.lt]);
    expect(await failureOf(trace(chain, messageOf(root)))).toBeInstanceOf(ServerError);
    const after = fetch.requests.length;
    // Requests in flight end; a trace that went on would send others by then.
    await expect.poll(() => load.now).toBe(0);
    expect(fetch.requests.length).toBe(after);
    expect(after).toBeLessThan(20);
  });

  test("ends with its signal", async () => {
    const { chain } = serve(sent("processed"));
    const error = await failureOf(trace(chain, messageOf(sent("processed")), { signal: AbortSignal.abort("enough") }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ cause: "enough" });
  });
});
