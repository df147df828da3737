/**
 * Reads from lite servers what an index that begins late does not have: the accounts that have not changed since it begins, and from archival
 * servers the history before that. All of it is as of blocks of the index.
 */
import { type AccountVersion, accountKey } from "@chain-query/format/store";
import { accountState, type LiteReadOptions, liteChainReader, readLite } from "@chain-query/lite";
import type { EarlierHistory } from "@chain-query/postgres-store";
import { LRUCache } from "lru-cache";
import { SharedWork } from "../shared-work.ts";
import { costOf, type LiteNetwork } from "./lite-network.ts";

/** Bytes of accounts in memory, approximately. */
const cacheBytes = 32 * 2 ** 20;
const entryOverhead = 700;

/** Where earlier history is read from. */
interface EarlierOptions {
  readonly network: LiteNetwork;
  readonly retention: number;
}

/** Each process keeps the accounts that it has read in memory. */
export function earlierHistory({ network, retention }: EarlierOptions): EarlierHistory {
  const reads = new SharedWork<AccountVersion>();
  const cache = new LRUCache<string, { readonly firstSeqno: number; readonly state: AccountVersion }>({
    maxSize: cacheBytes,
    sizeCalculation: ({ state: { code, data } }) => (code?.length ?? 0) + (data?.length ?? 0) + entryOverhead,
  });
  const reader = liteChainReader({ network, retention, costOf });
  return {
    get reader() {
      return network.hasArchive ? reader : undefined;
    },
    async account(account, { firstSeqno }, at, signal) {
      const key = accountKey(account).toString("hex");
      const cached = cache.get(key);
      if (cached?.firstSeqno === firstSeqno) return cached.state;
      const read = async (shared: AbortSignal): Promise<AccountVersion> => {
        const find = (options: LiteReadOptions) => network.client.getAccount(account, options);
        const found = await readLite(network, { at, costOf }, find, shared);
        const { account: _, block: __, isSuspended: ___, ...state } = accountState(account, found);
        cache.set(key, { firstSeqno, state });
        return state;
      };
      return reads.run(`${firstSeqno} ${key}`, read, signal);
    },
  };
}
