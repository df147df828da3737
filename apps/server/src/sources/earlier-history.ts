/**
 * Reads from lite servers what an index that begins late does not have: the accounts that have not changed since it begins, and from archival
 * servers the history before that. All of it is as of blocks of the index.
 */
import { type AccountId, accountKey, type BlockId } from "@chain-query/format/store";
import type { LiteHead } from "@chain-query/lite";
import type { IndexHead, UnreadAccountError } from "@chain-query/postgres-store";
import { LRUCache } from "lru-cache";
import type { ChainSource, SourceAccount } from "../chain-source.ts";
import { accountState } from "../convert/cells.ts";
import { SharedWork } from "../shared-work.ts";
import type { LiteNetwork } from "./lite-network.ts";
import { liteServerSource, readLite } from "./lite-server.ts";

/** Bytes of accounts in memory, approximately. */
const cacheBytes = 32 * 2 ** 20;
const entryOverhead = 700;

/** An account before the index begins. */
type EarlierAccount = Omit<SourceAccount, "account" | "block" | "isSuspended">;

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

/** Where earlier history is read from. */
interface EarlierOptions {
  readonly network: LiteNetwork;
  /** The head that is served. */
  readonly known: () => IndexHead | undefined;
  readonly retention: number;
}

/** Opens the lite servers for an index. Each process keeps the accounts that it has read in memory. */
export function earlierHistory({ network, known, retention }: EarlierOptions): EarlierHistory {
  const reads = new SharedWork<EarlierAccount>();
  const cache = new LRUCache<string, { readonly firstSeqno: number; readonly state: EarlierAccount }>({
    maxSize: cacheBytes,
    sizeCalculation: ({ state: { code, data } }) => (code?.length ?? 0) + (data?.length ?? 0) + entryOverhead,
  });
  const source = liteServerSource({ network, head: headOf(known), retention });
  return {
    get source() {
      return network.hasArchive ? source : undefined;
    },
    async account(account, { firstSeqno }, at, signal) {
      const key = accountKey(account).toString("hex");
      const cached = cache.get(key);
      if (cached?.firstSeqno === firstSeqno) return cached.state;
      const read = async (shared: AbortSignal): Promise<EarlierAccount> => {
        const found = await readLite(network, at, (options) => network.client.getAccount(account, { ...options, at }), shared);
        const { account: _, block: __, isSuspended: ___, ...state } = accountState(account, found);
        cache.set(key, { firstSeqno, state });
        return state;
      };
      return reads.run(`${firstSeqno} ${key}`, read, signal);
    },
    close: async () => source.close(),
  };
}

/** The head of the index as one of the lite servers: everything is read as of it. The same object while it is the same. */
function headOf(known: () => IndexHead | undefined): () => LiteHead | undefined {
  let last: { readonly of: IndexHead; readonly head: LiteHead } | undefined;
  return () => {
    const newest = known();
    if (newest === undefined) return undefined;
    if (last?.of !== newest) {
      const { id: block, endLt, time, stateRootHash } = newest.block;
      last = { of: newest, head: { block, endLt, time, stateRootHash } };
    }
    return last.head;
  };
}
