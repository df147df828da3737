/** Each fault of a lite server, alone in the client's pool: a typed error within the deadline. Beside honest servers: the right answer. */

import { hex } from "@chain-query/format/cells";
import type { AccountId } from "@chain-query/format/store";
import { afterAll, describe, expect, test } from "vitest";
import type { LiteBehaviour } from "../../src/answers/behaviour.ts";
import { type LiteServer, startLiteServer } from "../../src/answers/server.ts";
import { liteChain } from "../../src/answers/signing-chain.ts";
import * as fault from "../../src/faults/index.ts";
import { type LiteClient, liteClient } from "../../src/lite-client.ts";
import type { LiteErrorKind } from "../../src/wire/lite-error.ts";
import { existing, serveChain } from "../served-chain.ts";

/** The deadlines of reads that time out, and of reads that do not. */
const [SHORT, LONG] = [1_000, 60_000];
/** Of one server: of those that never respond, and of all others, which have more time than a busy machine needs. */
const [SILENT_ATTEMPT, ATTEMPT] = [300, 10_000];

const served = await serveChain(12);
const head = served.chain.head().block.id;
const [account, other] = served.accounts.filter(
  (one) => one.workchain === 0 && [...served.chain.transactions(one)].length > 3,
) as [AccountId, AccountId];
const keys = [101, 102].map((byte) => new Uint8Array(32).fill(byte));
const honest = await Promise.all(keys.map((key) => startLiteServer({ chain: liteChain(served.chain), key })));

afterAll(async () => {
  await Promise.all(honest.map((server) => server.close()));
});

type Read = (client: LiteClient, timeoutMs: number) => Promise<unknown>;

const readAccount: Read = async (client) => (await client.getAccount(account, { at: head })).account?.balance;
const readHistory: Read = async (client) => {
  const { id } = existing(served.chain.transactions(account).next().value);
  return (await client.getTransactions(account, id, 100, { at: head })).map(({ id: { hash } }) => hex(hash));
};
const readBlock: Read = async (client) => (await client.lookupBlock(head, { seqno: 5 }, { at: head }))?.id.seqno;
const readHead: Read = async (client, timeoutMs) =>
  (await client.waitForHead({ signal: AbortSignal.timeout(timeoutMs) })).block.seqno;

const answers = (): ReadonlyMap<Read, unknown> =>
  new Map<Read, unknown>([
    [readAccount, served.chain.account(account)?.balance],
    [readHistory, Array.from(served.chain.transactions(account), ({ id }) => hex(id.hash))],
    [readBlock, 5],
    [readHead, head.seqno],
  ]);

type Expected = LiteErrorKind | "right";

/** Name, behaviour of the server, read, the result if it is the only server, and the time of an attempt. */
type Fault = readonly [name: string, behaviour: () => LiteBehaviour, read: Read, alone: Expected, attemptTimeoutMs?: number];

const scope = { name: "getAccountState" } as const;
const page = { name: "getTransactions" } as const;
/** How a node refuses a history that it may have later. */
const LAGS =
  "cannot compute block with specified transaction: ltdb: block not found (possibly out of sync: shard_client_seqno=1 ls_seqno=2)";
const faults: readonly Fault[] = [
  ["refuses connections", fault.closedPort, readAccount, "unavailable"],
  ["resets connections", fault.resets, readAccount, "unavailable"],
  ["resets connections at once", () => fault.resets(0), readAccount, "unavailable"],
  ["resets connections within an answer", () => fault.resets(100), readAccount, "unavailable"],
  ["closes its half", fault.halfCloses, readAccount, "unavailable"],
  ["accepts and does not respond", fault.silentConnection, readAccount, "unavailable", SILENT_ATTEMPT],
  ["stalls within a frame", fault.stalls, readAccount, "unavailable", SILENT_ATTEMPT],
  ["sends a byte a second", () => fault.trickles(1), readAccount, "unavailable", SILENT_ATTEMPT],
  ["has frames with a wrong checksum", fault.wrongChecksum, readAccount, "unavailable"],
  ...[0, 63, 2 ** 24 + 1, 2 ** 32 - 1].map(
    (length): Fault => [`has frames of length ${length}`, () => fault.frameLength(length), readAccount, "unavailable"],
  ),
  ["sends messages of an unknown kind", fault.unknownMessage, readAccount, "unavailable"],
  ["sends answers to other queries", fault.wrongQueryId, readAccount, "unavailable"],
  ["repeats answers", fault.repeatedAnswer, readAccount, "unavailable"],
  ["sends garbage", () => fault.garbage(scope), readAccount, "unavailable"],
  ["sends bytes left over", () => fault.trailingBytes(scope), readAccount, "unavailable"],
  ["sends half an answer", () => fault.truncated(scope), readAccount, "unavailable"],
  ["sends another constructor", () => fault.wrongTag(scope), readAccount, "unavailable"],
  ["sends a vector of 2^31 items", () => fault.hugeVector({ name: "getTransactions" }), readHistory, "unavailable"],
  ["answers another function", () => fault.answerOfAnotherFunction(scope), readAccount, "unavailable"],
  ["does not answer", () => fault.silence(scope), readAccount, "timeout", SILENT_ATTEMPT],
  ["answers too late", () => fault.delay(5_000, scope), readAccount, "timeout", SILENT_ATTEMPT],
  // One of each kind: src/servers/fault.ts has a table of all, and test/servers a test of each.
  ["is over its limit", () => fault.refuse(228, "a test", scope), readAccount, "unavailable"],
  ["does not have the block yet", () => fault.refuse(651, "block is not applied", scope), readAccount, "unavailable"],
  ["has deleted the state", () => fault.refuse(602, "cannot load state : state already gc'd", scope), readAccount, "refused"],
  ["never had the state", () => fault.refuse(651, "state not in db", scope), readAccount, "refused"],
  ["is slow inside", () => fault.refuse(-503, "a test", scope), readAccount, "timeout"],
  ["refuses the question", () => fault.refuse(-400, "a test", scope), readAccount, "refused"],
  ...(["shardProof", "proof", "state"] as const).flatMap((field): Fault[] => [
    [`flips a bit of ${field}`, () => fault.flipBit("getAccountState", field), readAccount, "unavailable"],
    [`forges ${field}`, () => fault.forgeBoc("getAccountState", field), readAccount, "unavailable"],
    [`cuts ${field}`, () => fault.truncateBoc("getAccountState", field), readAccount, "unavailable"],
  ]),
  ["sends a bag with a cycle", () => fault.cyclicBoc("getAccountState", "state"), readAccount, "unavailable"],
  ["sends a bag that is too deep", () => fault.deepBoc("getAccountState", "state"), readAccount, "unavailable"],
  ["sends another account", () => fault.otherAccount(other), readAccount, "unavailable"],
  ["sends the proof of another block", () => fault.otherBlock(existing(served.headers[9]).id), readAccount, "unavailable"],
  ["hides an account behind a pruned branch", fault.hiddenAccount, readAccount, "unavailable"],
  ["leaves a gap in a history", fault.historyGap, readHistory, "unavailable"],
  ["does not have the block of a history yet", () => fault.refuse(-400, LAGS, { ...page, times: 3 }), readHistory, "right"],
  ["never has the block of a history", () => fault.refuse(-400, LAGS, page), readHistory, "unavailable"],
  ["gives short pages of a history", () => fault.shortHistory(2), readHistory, "right"],
  ["finds the block after the right one", () => fault.nextBlock("lookupBlockWithProof"), readBlock, "unavailable"],
  ["finds the block before the right one", () => fault.previousBlock("lookupBlockWithProof"), readBlock, "unavailable"],
];

/** Runs a read against servers, and checks that it ends with its deadline. */
async function run(
  read: Read,
  servers: readonly LiteServer[],
  timeoutMs: number = LONG,
  attemptTimeoutMs: number = ATTEMPT,
): Promise<unknown> {
  const client = liteClient(served.configOf(servers), { timeoutMs, attemptTimeoutMs, rate: 1_000 });
  // However busy the machine is, timers end in their order: this one after the client's.
  const { promise: isLate, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => setImmediate(() => setImmediate(resolve, "late")), timeoutMs + 100);
  const result = await Promise.race([read(client, timeoutMs).catch((error: unknown) => error), isLate]);
  clearTimeout(timer);
  await client.close();
  expect(result).not.toBe("late");
  return result;
}

async function withFaulty<Result>(
  behaviours: readonly LiteBehaviour[],
  use: (server: LiteServer) => Promise<Result>,
): Promise<Result> {
  const key = new Uint8Array(32).fill(9);
  const server = await fault.startFaultyLiteServer({ chain: liteChain(served.chain), key, behaviours });
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

function testFault([, behaviour, read, alone, attemptTimeoutMs]: Fault): void {
  test("alone", async () => {
    const deadline = alone === "timeout" ? SHORT : LONG;
    const result = await withFaulty([behaviour()], (faulty) => run(read, [faulty], deadline, attemptTimeoutMs));
    if (alone === "right") expect(result).toEqual(answers().get(read));
    else expect(result).toMatchObject({ name: "LiteError", kind: alone });
  });

  test("beside an honest one", async () => {
    const result = await withFaulty([behaviour()], (faulty) => run(read, [faulty, existing(honest[0])]));
    expect(result).toEqual(answers().get(read));
  });
}

describe.concurrent.for(faults.filter(([, , , alone]) => alone !== "timeout"))("a server that %s", testFault);
// One after another: tests beside them would fault.delay connections beyond the short deadline.
describe.for(faults.filter(([, , , alone]) => alone === "timeout"))("a server that %s", testFault);

test.each([
  ["is stale", () => fault.staleHead(5)],
  ["does not move", fault.frozenHead],
  ["goes back", () => fault.headGoesBack(3)],
  ["is of another chain", fault.forkedHead],
  ["is from the future", () => fault.futureHead(1_000_000)],
] as const)("a head that %s beside two honest servers does not become the client's", async (_, behaviour) => {
  expect(await withFaulty([behaviour()], (faulty) => run(readHead, [faulty, ...honest]))).toBe(head.seqno);
});
