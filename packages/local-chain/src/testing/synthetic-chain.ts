/**
 * Fills a store without execution: transfers between accounts with valid cells, links, transaction hashes and message hashes. Blocks have
 * only transactions, and their ids are placeholders. Everything depends on the options only, so that tests know the content.
 */

import { createHash } from "node:crypto";
import { buildAccountBlocks } from "@chain-query/format/blocks";
import { type Cell, CellBuilder, writeBoc } from "@chain-query/format/cells";
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import type { AccountId, BlockId, ShardId, StepTransaction, TransactionId } from "@chain-query/format/store";
import { readTransactionHeader } from "@chain-query/format/transactions";
import type { AccountCommit, BlockCommit, ChainCommit, ChainGenesis } from "../store/commit.ts";
import { createStore, openStore } from "../store/store.ts";

/** Size of a synthetic chain. */
export interface SyntheticOptions {
  readonly accounts: number;
  readonly transactionsPerStep: number;
  readonly retentionSeconds?: number;
}

const BASECHAIN: ShardId = { workchain: 0, shard: -(2n ** 63n) };
const START_TIME = 1_700_000_000;
const STEP_SECONDS = 5;
const STEP_LT = 1_000_000n;

/**
 * Creates a synthetic chain. Its accounts have an equal share of the transactions.
 *
 * @param directory - A folder that does not exist yet, or is empty.
 * @param transactions - Rounded up to whole steps.
 * @throws ChainStoreError if the folder is not empty or cannot be written.
 *
 * @example
 * await createSyntheticChain("big", { accounts: 1_000, transactionsPerStep: 100 }, 100_000);
 * console.log(openChain("big").account(syntheticAccount(0))?.balance);
 */
export async function createSyntheticChain(directory: string, options: SyntheticOptions, transactions: number): Promise<void> {
  await createStore(directory, syntheticGenesis(options));
  const writer = openStore(directory);
  const steps = syntheticSteps(options);
  for (let written = 0; written < transactions; written += options.transactionsPerStep) {
    await writer.commit(steps.next().value);
  }
  await writer.close();
}

/** The id of an account of a synthetic chain. */
export function syntheticAccount(index: number): AccountId {
  return { workchain: 0, hash: digest(`account ${index}`) };
}

/** The zero state of a synthetic chain. */
export function syntheticGenesis({ accounts, retentionSeconds = 172_800 }: SyntheticOptions): ChainGenesis {
  return {
    options: { seed: "synthetic", accounts },
    time: START_TIME,
    retentionSeconds,
    masterchain: { id: blockId(MASTERCHAIN, 0), boc: digest("masterchain zero state") },
    shards: [{ id: blockId(BASECHAIN, 0), boc: digest("basechain zero state") }],
    accounts: Array.from({ length: accounts }, (_, i) => accountCommit(i, { lt: 0n, hash: new Uint8Array(32) }, 0)),
    producer: { put: new Map([["steps", Buffer.of(0)]]) },
  };
}

/** The steps of a synthetic chain. Each message is consumed in its own step, except the last, which the next step consumes. */
export function* syntheticSteps({ accounts, transactionsPerStep }: SyntheticOptions): Generator<ChainCommit, never, undefined> {
  const last = new Map<number, TransactionId>();
  let waiting: { readonly to: number; readonly cell: Cell } | undefined;
  let count = 0;
  for (let seqno = 1; ; seqno++) {
    const startLt = BigInt(seqno) * STEP_LT;
    const time = timeOf(seqno);
    const transactions: StepTransaction[] = [];
    const touched = new Set<number>();
    let lt = startLt;
    const execute = (index: number, incoming: Cell, outgoing: (lt: bigint) => readonly Cell[]): void => {
      lt += 10n;
      const cell = transactionCell(index, last.get(index), incoming, outgoing(lt), lt, time);
      last.set(index, { lt, hash: cell.hash });
      touched.add(index);
      transactions.push({ account: syntheticAccount(index), cell });
    };
    if (waiting) execute(waiting.to, waiting.cell, () => []);
    waiting = undefined;
    while (transactions.length < transactionsPerStep) {
      const from = count % accounts;
      const to = (count * 7 + 3) % accounts;
      count += 1;
      let sent: Cell | undefined;
      execute(from, inboundCell(from, count), (sentAt) => {
        sent = internalCell(from, to, sentAt + 1n, time, count);
        return [sent];
      });
      if (!sent) throw new Error("a transfer sent no message");
      if (transactions.length < transactionsPerStep) execute(to, sent, () => []);
      else waiting = { to, cell: sent };
    }
    const end = { startLt, endLt: lt + 10n, time };
    yield {
      masterchain: blockCommit(MASTERCHAIN, seqno, end, [], 0),
      shards: [blockCommit(BASECHAIN, seqno, end, transactions, waiting ? 1 : 0)],
      accounts: Array.from(touched, (index) => accountCommit(index, last.get(index) ?? { lt: 0n, hash: ZERO }, seqno)),
      burnt: BigInt(seqno),
      producer: { put: new Map([["steps", Buffer.from(`${seqno}`)]]), remove: [`steps ${seqno - 1}`] },
    };
  }
}

function timeOf(seqno: number): number {
  return START_TIME + seqno * STEP_SECONDS;
}

/** The balance of an account that a step changed. */
export function balanceAfter(seqno: number): bigint {
  return 1_000_000n + BigInt(seqno);
}

const ZERO = new Uint8Array(32);

function blockCommit(
  shard: ShardId,
  seqno: number,
  range: Pick<BlockCommit, "startLt" | "endLt" | "time">,
  transactions: readonly StepTransaction[],
  queueSize: number,
): BlockCommit {
  const id = blockId(shard, seqno);
  const state = new CellBuilder().bytes(digest(`state ${shard.workchain} ${seqno}`)).cell();
  return {
    id,
    boc: writeBoc(blockCell(transactions)),
    ...range,
    stateRootHash: state.hash,
    state,
    previous: blockId(shard, seqno - 1),
    queueSize,
    transactions,
  };
}

const EMPTY = new CellBuilder().cell();

/** TL-B Block and BlockExtra with an empty cell in place of every part but the transactions. */
function blockCell(transactions: readonly StepTransaction[]): Cell {
  const accountBlocks = new CellBuilder();
  buildAccountBlocks(transactions.map(({ cell }) => readTransactionHeader(cell))).write(accountBlocks);
  const extra = new CellBuilder().uint(0x4a33f6fd, 32).ref(EMPTY).ref(EMPTY).ref(accountBlocks.cell());
  extra.bytes(ZERO).bytes(ZERO).bit(false);
  return new CellBuilder().uint(0x11ef55aa, 32).int(0, 32).ref(EMPTY).ref(EMPTY).ref(EMPTY).ref(extra.cell()).cell();
}

function blockId(shard: ShardId, seqno: number): BlockId {
  const name = `${shard.workchain} ${seqno}`;
  return { ...shard, seqno, rootHash: digest(`root ${name}`), fileHash: digest(`file ${name}`) };
}

const code = new CellBuilder().bytes(digest("code")).cell();

function accountCommit(index: number, last: TransactionId, seqno: number): AccountCommit {
  const { hash } = syntheticAccount(index);
  const data = new CellBuilder().uint(index, 32).uint(seqno, 32).cell();
  const account = address(new CellBuilder().bit(true), hash)
    .varUint(1n, 3)
    .varUint(100n, 3)
    .uint(0, 3)
    .uint(START_TIME, 32)
    .bit(false)
    .bigUint(last.lt + 1n, 64)
    .coins(balanceAfter(seqno))
    .bit(false)
    .uint(0b100, 3)
    .maybeRef(code)
    .maybeRef(data)
    .bit(false)
    .cell();
  const shardAccount = new CellBuilder().ref(account).bytes(last.hash).bigUint(last.lt, 64).cell();
  return { account: syntheticAccount(index), shardAccount };
}

function transactionCell(
  index: number,
  previous: TransactionId | undefined,
  incoming: Cell,
  outgoing: readonly Cell[],
  lt: bigint,
  time: number,
): Cell {
  const messages = new CellBuilder().maybeRef(incoming).maybeRef(outgoing[0] && onlyOutMessage(outgoing[0]));
  const description = new CellBuilder().uint(0, 4).bit(true).bit(true).coins(17n).bit(false).uint(0, 1).bit(false).cell();
  return new CellBuilder()
    .uint(0b0111, 4)
    .bytes(syntheticAccount(index).hash)
    .bigUint(lt, 64)
    .bytes(previous?.hash ?? ZERO)
    .bigUint(previous?.lt ?? 0n, 64)
    .uint(time, 32)
    .uint(outgoing.length, 15)
    .uint(0b1010, 4)
    .ref(messages.cell())
    .coins(1_000n)
    .bit(false)
    .ref(new CellBuilder().uint(0x72, 8).bytes(ZERO).bytes(ZERO).cell())
    .ref(description)
    .cell();
}

/** TL-B (HashmapE 15 ^(Message Any)) with one entry at 0. */
function onlyOutMessage(message: Cell): Cell {
  return new CellBuilder().uint(0b110, 3).uint(15, 4).ref(message).cell();
}

function inboundCell(to: number, number: number): Cell {
  const body = new CellBuilder()
    .uint(number, 32)
    .bytes(digest(`order ${number}`))
    .bytes(digest(`signature ${number}`))
    .cell();
  return address(new CellBuilder().uint(0b10, 2).uint(0, 2), syntheticAccount(to).hash)
    .coins(0n)
    .bit(false)
    .bit(true)
    .ref(body)
    .cell();
}

function internalCell(from: number, to: number, createdLt: bigint, time: number, number: number): Cell {
  const body = new CellBuilder()
    .uint(0, 32)
    .bytes(Buffer.from(`transfer number ${number}`))
    .cell();
  const ends = address(address(new CellBuilder().uint(0b0110, 4), syntheticAccount(from).hash), syntheticAccount(to).hash);
  return ends
    .coins(5_000n)
    .bit(false)
    .coins(0n)
    .coins(400n)
    .bigUint(createdLt, 64)
    .uint(time, 32)
    .bit(false)
    .bit(true)
    .ref(body)
    .cell();
}

function address(builder: CellBuilder, hash: Uint8Array): CellBuilder {
  return builder.uint(0b100, 3).int(0, 8).bytes(hash);
}

function digest(name: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(name).digest());
}
