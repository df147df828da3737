/**
 * Reads from lite servers what an index that begins late does not have: the accounts that have not changed since it begins, and from archival
 * servers the history before that. All of it is as of blocks of the index.
 */
import { buildShardAccount } from "@chain-query/format/accounts";
import { type AccountId, accountKey, type BlockId } from "@chain-query/format/store";
import type { LiteAccount, LiteHead } from "@chain-query/lite-client";
import { type AccountBase, type IndexHead, openAccountBase, type UnreadAccountError } from "@chain-query/postgres-store";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { ChainSource, SourceAccount } from "../chain-source.ts";
import { accountState } from "../convert/cells.ts";
import { messageOf } from "../failure.ts";
import { SingleFlight } from "../single-flight.ts";
import type { LiteNetwork } from "./lite-network.ts";
import { liteServerSource, readLite } from "./lite-server.ts";
import type { NewestTips } from "./newest-tips.ts";

/** Bytes of accounts in memory, approximately. */
const cacheBytes = 32 * 2 ** 20;
const entryOverhead = 700;
/** Milliseconds without attempts to keep accounts after one has failed. */
const pause = 60_000;

/** An account before the index begins. */
type EarlierAccount = Omit<SourceAccount, "account" | "block">;

export interface EarlierHistory {
  /** Reads history before the index begins; undefined while there are no archival servers. */
  readonly source: ChainSource | undefined;
  /**
   * The state of an account that has not changed since the index begins.
   *
   * @param at - A block up to which it has not changed.
   */
  account(account: AccountId, error: UnreadAccountError, at: BlockId, signal: AbortSignal): Promise<EarlierAccount>;
  close(): Promise<void>;
}

/** Where earlier history is read from, and kept. */
interface EarlierOptions {
  readonly network: LiteNetwork;
  /** URL of the primary. */
  readonly primary: string;
  /** The head that is served. */
  readonly known: () => IndexHead | undefined;
  readonly retention: number;
  readonly log: Logger;
}

/**
 * Opens the lite servers for an index. Accounts that exist are kept in the primary, where all instances find them. If it refuses that, each
 * process keeps them in memory.
 */
export function earlierHistory({ network, primary, known, retention, log }: EarlierOptions): EarlierHistory {
  const base = openAccountBase({ url: primary });
  const keep = keeper(base, log);
  const reads = new SingleFlight<EarlierAccount>();
  const cache = new LRUCache<string, { readonly firstSeqno: number; readonly state: EarlierAccount }>({
    maxSize: cacheBytes,
    sizeCalculation: ({ state: { code, data } }) => (code?.length ?? 0) + (data?.length ?? 0) + entryOverhead,
  });
  const source = liteServerSource({ network, tips: indexTips(known), retention });
  return {
    get source() {
      return network.hasArchive ? source : undefined;
    },
    async account(account, { firstSeqno }, at, signal) {
      const key = accountKey(account).toString("hex");
      const cached = cache.get(key);
      if (cached?.firstSeqno === firstSeqno) return cached.state;
      const read = async (shared: AbortSignal): Promise<EarlierAccount> => {
        const run = (options: object) => network.client.getAccount(account, { ...options, at });
        const found = await readLite(network, at, run, shared);
        const { account: _, block: __, ...state } = accountState(account, found);
        cache.set(key, { firstSeqno, state });
        keep(account, found, firstSeqno);
        return state;
      };
      return reads.run(`${firstSeqno} ${key}`, read, signal);
    },
    close: async () => {
      await Promise.all([source.close(), base.close()]);
    },
  };
}

/**
 * Returns a function that keeps an account in the background. One that does not exist is not kept: callers can make up any number of them.
 */
function keeper(base: AccountBase, log: Logger): (account: AccountId, found: LiteAccount, firstSeqno: number) => void {
  let pausedUntil = 0;
  return (account, { cell, last }, firstSeqno) => {
    if (cell === undefined || performance.now() < pausedUntil) return;
    base.keep(account, buildShardAccount(cell, last), last.lt > 0n, firstSeqno).catch((error: unknown) => {
      if (performance.now() < pausedUntil) return;
      pausedUntil = performance.now() + pause;
      log.warn({ reason: messageOf(error) }, "accounts from lite servers are kept in memory only, not in the database");
    });
  };
}

/** The head of the index as that of the lite servers: everything is read as of it. */
function indexTips(known: () => IndexHead | undefined): NewestTips<LiteHead> {
  let last: { readonly of: IndexHead; readonly tips: { readonly tip: LiteHead; readonly consensus: LiteHead } } | undefined;
  return {
    era: 0,
    newest: () => {
      const head = known();
      if (head === undefined) return undefined;
      if (last?.of !== head) {
        const { id: block, endLt, time, stateRootHash } = head.block;
        const tip = { block, endLt, time, stateRootHash };
        last = { of: head, tips: { tip, consensus: tip } };
      }
      return last.tips;
    },
    // The index decides on its chain.
    begin: () => {},
    restart: () => {},
    join: () => {},
    close: async () => {},
  };
}
