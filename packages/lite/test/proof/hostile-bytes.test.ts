/** For any bytes of a server, a check throws a LiteError of kind "proof", or returns the result of the honest answer. */

import { writeBoc } from "@chain-query/format/cells";
import { array, assert as check, constantFrom, integer, nat, property, uint8Array } from "fast-check";
import { expect, test } from "vitest";
import { checkAccountState, checkHistory } from "../../src/proof/account.ts";
import { checkAllShards, checkBlockData, checkBlockHeader, checkQueueSize, checkSuspendedList } from "../../src/proof/block.ts";
import { checkBlockLookup } from "../../src/proof/block-lookup.ts";
import { checkTransactionCells } from "../../src/proof/transactions.ts";
import { LiteError } from "../../src/wire/lite-error.ts";
import {
  accountAnswer,
  configAnswer,
  headerProof,
  historyAnswer,
  listAnswer,
  lookupAnswer,
  queueAnswer,
  shardsAnswer,
} from "./honest-answers.ts";
import { ACTIVE, LEFT, MASTER, type SampleTransaction, sampleChain } from "./sample-chain.ts";

const chain = sampleChain(6);
const at = chain.block(MASTER, 6);
const block = chain.block(LEFT, 5);
const { id } = block;
const account = ACTIVE[0] as (typeof ACTIVE)[number];
const absent = { workchain: 0, hash: new Uint8Array(32).fill(0x13) };
const newest = chain.transactions.filter((one) => one.account === account).at(-1) as SampleTransaction;
const list = { block: id, count: 4 };

/** A check with its honest answer, whose fields of bytes are changed. */
function target<Answer extends object>(answer: Answer, run: (answer: Answer) => unknown) {
  return { answer, expected: textOf(run(answer)), run: (changed: object) => run({ ...answer, ...changed }) };
}

const targets = [
  target(accountAnswer(chain, at, account), (answer) => checkAccountState({ at: at.id, account }, answer)),
  target(accountAnswer(chain, at, absent), (answer) => checkAccountState({ at: at.id, account: absent }, answer)),
  target(shardsAnswer(chain, at, 1), (answer) => checkAllShards(at.id, answer)),
  target(shardsAnswer(chain, at, 2), (answer) => checkAllShards(at.id, answer)),
  target(configAnswer(chain, at), (answer) => checkSuspendedList(at.id, answer)),
  target(queueAnswer(chain, block), (answer) => checkQueueSize(id, answer)),
  target({ id, mode: 1, headerProof: writeBoc(headerProof(block)) }, (answer) => checkBlockHeader(id, answer)),
  target({ id, data: block.boc }, (answer) => checkBlockData(id, answer)),
  target(lookupAnswer(chain, at, block), (answer) =>
    checkBlockLookup({ at: at.id, shard: LEFT, selector: { time: block.time } }, answer),
  ),
  target(listAnswer(chain, block, list), (answer) => checkTransactionCells(list, answer)),
  target(historyAnswer(chain, account, newest.id, 16), (answer) =>
    checkHistory({ account, from: newest.id, count: 16 }, answer),
  ),
];

/** The same text for the same result of other cells. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (typeof part === "bigint") return `${part}`;
    // `Buffer.toJSON` has run already.
    if (part?.type === "Buffer" && Array.isArray(part.data)) return Buffer.from(part.data).toString("hex");
    if (part instanceof Uint8Array) return Buffer.from(part).toString("hex");
    return part && typeof part === "object" && "levelMask" in part ? Buffer.from(part.hash).toString("hex") : part;
  });
}

function requireEqualOrRejected(run: () => unknown, expected: string): void {
  let text: string;
  try {
    text = textOf(run());
  } catch (error) {
    if (error instanceof LiteError && error.kind === "proof") return;
    throw error;
  }
  expect(text).toBe(expected);
}

const edits = array(
  constantFrom("flip", "set", "cut", "insert").chain((kind) =>
    integer({ min: 0, max: 2 ** 20 }).map((place) => ({ kind, place })),
  ),
  { minLength: 1, maxLength: 4 },
);

function edit(bytes: Uint8Array, changes: readonly { kind: string; place: number }[]): Uint8Array {
  return changes.reduce((old, { kind, place }) => {
    const at = place % Math.max(1, old.length);
    if (kind === "cut") return Buffer.concat([old.subarray(0, at), old.subarray(at + 1)]);
    if (kind === "insert") return Buffer.concat([old.subarray(0, at), Buffer.of(place >> 12), old.subarray(at)]);
    const changed = Uint8Array.from(old);
    if (old.length > 0) changed[at] = kind === "set" ? place >> 12 : (old[at] as number) ^ (1 << (place & 7));
    return changed;
  }, bytes);
}

test("changed answers are rejected, or have the result of the honest answer", () => {
  const fields = targets.flatMap(({ answer, expected, run }) =>
    Object.entries(answer).flatMap(([name, bytes]) => (bytes instanceof Uint8Array ? [{ name, bytes, run, expected }] : [])),
  );
  check(
    property(nat(fields.length - 1), edits, (index, changes) => {
      const { name, bytes, run, expected } = fields[index] as (typeof fields)[number];
      requireEqualOrRejected(() => run({ [name]: edit(bytes, changes) }), expected);
    }),
    { numRuns: 1_500, seed: 1 },
  );
});

test("random bytes are rejected", () => {
  const general = Buffer.from("b5ee9c72", "hex");
  const bytes = uint8Array({ maxLength: 200 });
  check(
    property(nat(targets.length - 1), bytes, bytes, (index, one, other) => {
      const { answer, run } = targets[index] as (typeof targets)[number];
      const random = [one, Buffer.concat([general, other])];
      const changed = Object.entries(answer).map(([name, value], i) => [
        name,
        value instanceof Uint8Array ? random[i % 2] : value,
      ]);
      expect(() => run(Object.fromEntries(changed))).toThrow(expect.objectContaining({ kind: "proof" }));
    }),
    { numRuns: 500, seed: 1 },
  );
});
