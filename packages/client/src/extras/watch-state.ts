/** Watches the head of the chain, and the state of an account. */
import type { BlockId, FullAccountState } from "@chain-query/types";
import { check, integerRule } from "../checks/rules.ts";
import type { ChainClient } from "../client.ts";
import { type WatchOptions, watch, watchRules } from "./polling.ts";

/**
 * Options of `watchHead`.
 *
 * @example
 * ```ts
 * const options: WatchHeadOptions = { from: lastSeen + 1, signal };
 * ```
 */
export interface WatchHeadOptions extends WatchOptions {
  /**
   * Yield every masterchain block from this sequence number on, and leave none out.
   *
   * @example { from: lastSeen + 1 }
   * @see https://chain-query.github.io/chain-query/client/extras/
   */
  from?: number | undefined;
}

/**
 * Yields the head of the masterchain, then each newer one. Its sequence number only grows, even if the nodes behind an address are not
 * equally far. Heads that are replaced between two polls are left out, unless `from` is given.
 *
 * The iteration survives failures that may pass, and polls within the rate limit of the client. `break` ends it; a signal ends it with an
 * `AbortedError`, as it does for `events.on` and `setInterval` of Node.js.
 *
 * @example
 * ```ts
 * for await (const head of watchHead(chain, { signal })) console.log(head.seqno);
 * for await (const block of watchHead(chain, { from: 1 })) await index(block); // every block, in order
 * ```
 */
export function watchHead(chain: ChainClient, options: WatchHeadOptions = {}): AsyncIterable<BlockId> {
  check("watchHead", options, { ...watchRules, from: integerRule(1, 2 ** 32 - 1) });
  const { from } = options;
  return watch("watchHead", options, () => {
    let next = from ?? 0;
    return async function* (call, progress) {
      const { last } = await chain.getMasterchainInfo(call);
      progress();
      const { workchain, shard } = last;
      while (from !== undefined && next < last.seqno) {
        const block = await chain.lookupBlock({ workchain, shard, seqno: next }, call);
        next++;
        yield block;
      }
      if (last.seqno < next) return;
      next = last.seqno + 1;
      yield last;
    };
  });
}

/**
 * Yields the state of an account, then the state after each change: of its balance, its state or its last transaction. It never goes
 * back, even if the nodes behind an address are not equally far. States that are replaced between two polls are left out; for each
 * transaction take `watchTransactions`. It ends and survives failures as `watchHead` does.
 *
 * @example
 * ```ts
 * for await (const { balance } of watchAccount(chain, address, { signal })) show(formatNano(balance));
 * ```
 */
export function watchAccount(chain: ChainClient, address: string, options: WatchOptions = {}): AsyncIterable<FullAccountState> {
  check("watchAccount", options, watchRules);
  return watch("watchAccount", options, () => {
    let seqno = 0;
    let known: string | undefined;
    return async function* (call) {
      const account = await chain.getAddressInformation({ address }, call);
      const { state, balance, last_transaction_id: last, block_id: block } = account;
      const now = [state, balance, last.lt, last.hash].join();
      if (block.seqno < seqno || now === known) return;
      seqno = block.seqno;
      known = now;
      yield account;
    };
  });
}
