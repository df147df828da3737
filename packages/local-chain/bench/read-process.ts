/** A process that only reads. Prints the latency of each operation and its memory as JSON. */
import { readFileSync } from "node:fs";
import type { AccountId, MessageKey } from "@chain-query/format/store";
import { type LocalChain, openChain } from "@chain-query/local-chain";
import { syntheticAccount } from "@chain-query/local-chain/testing";

/** Microseconds. */
interface ReadTimes {
  readonly p50: number;
  readonly p99: number;
}

export interface ReadReport {
  readonly operations: Readonly<Record<string, ReadTimes>>;
  /** Megabytes: private, and mapped from the LMDB file. */
  readonly memory: { readonly own: number; readonly mapped: number };
}

const CALLS = 20_000;
const ROUND = 1_000;
const WARM = 40_000;
const PAGE = 10;
const BASECHAIN = { workchain: 0, shard: -(2n ** 63n) };
const MASTERCHAIN = { workchain: -1, shard: -(2n ** 63n) };

const [directory = "", accounts = "1"] = process.argv.slice(2);
const chain = openChain(directory);
console.log(JSON.stringify(report(chain, Number(accounts))));
await chain.close();

function report(chain: LocalChain, count: number): ReadReport {
  const { block } = chain.head();
  const seqno = () => 1 + below(block.id.seqno);
  const accounts = Array.from({ length: count }, (_, index) => syntheticAccount(index));
  const account = (): AccountId => accounts[below(count)] as AccountId;
  const messages = someMessages(chain, account);
  const operations = {
    head: timesOf(
      () => [],
      () => chain.head(),
    ),
    shards: timesOf(
      () => [],
      () => chain.shards(),
    ),
    "block by seqno": timesOf(seqno, (n) => chain.block(BASECHAIN, { seqno: n })),
    "block by lt": timesOf(
      () => BigInt(below(Number(block.endLt))),
      (lt) => chain.block(BASECHAIN, { lt }),
    ),
    "block by time": timesOf(
      () => block.time - below(block.id.seqno * 5),
      (time) => chain.block(MASTERCHAIN, { time }),
    ),
    "account at the head": timesOf(account, (id) => chain.account(id)),
    "account in the past": timesOf(
      () => [account(), seqno()] as const,
      ([id, n]) => chain.account(id, n),
    ),
    [`${PAGE} transactions`]: timesOf(account, (id) => page(chain, id)),
    "locate both ends": timesOf(
      () => messages[below(messages.length)] as MessageKey,
      (message) => [chain.findSender(message), chain.findReceiver(message)],
    ),
  };
  return { operations, memory: memory() };
}

function page(chain: LocalChain, account: AccountId): number {
  let read = 0;
  for (const _ of chain.transactions(account)) if (++read === PAGE) break;
  return read;
}

function someMessages(chain: LocalChain, account: () => AccountId): MessageKey[] {
  return Array.from({ length: 2_000 }, account).flatMap((id) => {
    const [newest] = chain.transactions(id);
    return (newest?.outMessages ?? []) as readonly MessageKey[];
  });
}

/** Arguments are chosen before the measurement, for some calls at a time, to keep the bench's own memory small. */
function timesOf<T>(choose: () => T, read: (chosen: T) => unknown): ReadTimes {
  const times = new Float64Array(CALLS);
  for (let call = -WARM; call < CALLS; call += ROUND) {
    const chosen = Array.from({ length: ROUND }, choose);
    for (const [i, item] of chosen.entries()) {
      const start = performance.now();
      read(item);
      // The first rounds warm up: the first access to a page of the file takes longer.
      if (call >= 0) times[call + i] = (performance.now() - start) * 1000;
    }
  }
  times.sort();
  return { p50: times[CALLS / 2] ?? 0, p99: times[Math.floor(CALLS * 0.99)] ?? 0 };
}

function below(end: number): number {
  return Math.floor(Math.random() * end);
}

/** From /proc on Linux; elsewhere an estimate. */
function memory(): ReadReport["memory"] {
  try {
    const status = readFileSync("/proc/self/status", "utf8");
    const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
    return { own: megabytes("RssAnon"), mapped: megabytes("RssFile") };
  } catch {
    return { own: process.memoryUsage().rss / 2 ** 20, mapped: 0 };
  }
}
