/**
 * Reads from lite servers what an index that begins late does not have: the accounts that have not changed since it begins, and from archival
 * servers the history before that. All of it is as of blocks of the index.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "@chain-query/format/abort";
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
/** Milliseconds without attempts to share accounts after one has failed. */
const pause = 60_000;
/** Milliseconds to wait for an instance that reads the same account, and between two attempts to claim it. */
const longestWait = 3_000;
const claimInterval = 50;

/** An account before the index begins. */
type EarlierAccount = Omit<SourceAccount, "account" | "block" | "isSuspended">;

export interface EarlierHistory {
  /** Reads history before the index begins; undefined while there are no archival servers. */
  readonly source: ChainSource | undefined;
  /**
   * The state of an account that has not changed since the index begins.
   *
   * @param at - A block up to which it has not changed.
   * @param readKept - Reads it from the database, where another instance may keep it. Undefined if it is not there.
   */
  account(
    account: AccountId,
    error: UnreadAccountError,
    at: BlockId,
    readKept: () => Promise<EarlierAccount | undefined>,
    signal: AbortSignal,
  ): Promise<EarlierAccount>;
  close(): Promise<void>;
}

/** Claims accounts and keeps them, so that instances read each one once. */
interface AccountSharing {
  /** Waits while another instance reads the account. Returns the claim of this one, undefined if it has none. */
  claim(account: AccountId, signal: AbortSignal): Promise<string | undefined>;
  /** Keeps an account that was read, then ends the claim. One that does not exist is not kept: callers can make up any number of them. */
  end(account: AccountId, found: LiteAccount | undefined, firstSeqno: number, claim: string | undefined): Promise<void>;
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
  const sharing = shareAccounts(base, log);
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
    async account(account, { firstSeqno }, at, readKept, signal) {
      const key = accountKey(account).toString("hex");
      const cached = cache.get(key);
      if (cached?.firstSeqno === firstSeqno) return cached.state;
      const read = async (shared: AbortSignal): Promise<EarlierAccount> => {
        const claim = await sharing.claim(account, shared);
        let found: LiteAccount | undefined;
        try {
          const kept = claim ? await readKept() : undefined;
          if (kept !== undefined) return kept;
          const run = (options: object) => network.client.getAccount(account, { ...options, at });
          found = await readLite(network, at, run, shared);
        } finally {
          void sharing.end(account, found, firstSeqno, claim);
        }
        const { account: _, block: __, isSuspended: ___, ...state } = accountState(account, found);
        cache.set(key, { firstSeqno, state });
        return state;
      };
      return reads.run(`${firstSeqno} ${key}`, read, signal);
    },
    close: async () => {
      await Promise.all([source.close(), base.close()]);
    },
  };
}

/** Shares accounts with other instances over the database, while it can be written. */
export function shareAccounts(base: Omit<AccountBase, "close">, log: Pick<Logger, "warn">): AccountSharing {
  let pausedUntil = 0;
  const isPaused = (): boolean => performance.now() < pausedUntil;
  const onError = (error: unknown): void => {
    if (isPaused()) return;
    pausedUntil = performance.now() + pause;
    log.warn({ reason: messageOf(error) }, "accounts from lite servers are kept in memory only, not in the database");
  };
  return {
    async claim(account, signal) {
      const either = AbortSignal.any([signal, AbortSignal.timeout(longestWait)]);
      while (!either.aborted && !isPaused()) {
        const claiming = base.claim(account);
        let claim: string | undefined;
        try {
          claim = await untilAborted(claiming, either);
        } catch (error) {
          if (!either.aborted) onError(error);
          // The database may still grant the claim.
          else claiming.then((late) => (late ? base.release(account, late) : undefined)).catch(onError);
        }
        signal.throwIfAborted();
        if (claim) return claim;
        await sleep(claimInterval, undefined, { signal });
      }
      return undefined;
    },
    async end(account, found, firstSeqno, claim) {
      try {
        if (found?.cell !== undefined && !isPaused())
          await base.keep(account, buildShardAccount(found.cell, found.last), found.last.lt > 0n, firstSeqno);
      } catch (error) {
        onError(error);
      }
      if (claim) await base.release(account, claim).catch(onError);
    },
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
  };
}
