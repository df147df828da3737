/** The accounts that the configuration suspends, from the account that holds the configuration. Lite servers prove it in another way. */
import { readSuspendedList } from "../accounts.ts";
import { type Cell, isEqual, readBoc } from "../cells/index.ts";
import type { AccountId } from "../identifiers.ts";

/** Holds the configuration: the first reference of its data. Networks of this family have it at this address. */
export const configAccount: AccountId = { workchain: -1, hash: new Uint8Array(32).fill(0x55) };

/** Blocks whose list is kept. Each may keep the whole configuration in memory. */
const mostLists = 64;

/** A list for `isSuspended`; undefined if nothing is suspended. */
export interface SuspendedList {
  readonly list: Cell | undefined;
}

/** Keeps the lists by masterchain blocks, so that most requests read the account of the configuration no more. */
export interface SuspendedLists {
  /** Undefined if the list as of the block is not kept. */
  get(seqno: number): SuspendedList | undefined;
  /** @param data - Of the account of the configuration, a bag of cells. */
  keep(seqno: number, data: Uint8Array | undefined): SuspendedList;
}

export function suspendedLists(): SuspendedLists {
  const lists = new Map<number, SuspendedList>();
  let last: { readonly data: Uint8Array; readonly kept: SuspendedList } | undefined;
  return {
    get: (seqno) => lists.get(seqno),
    keep: (seqno, data = new Uint8Array()) => {
      // Most blocks have the configuration of the block before.
      if (last === undefined || !isEqual(last.data, data)) last = { data, kept: { list: listIn(data) } };
      lists.set(seqno, last.kept);
      const [oldest] = lists.keys();
      if (lists.size > mostLists && oldest !== undefined) lists.delete(oldest);
      return last.kept;
    },
  };
}

function listIn(data: Uint8Array): Cell | undefined {
  const config = data.length === 0 ? undefined : readBoc(data).refs[0];
  return config && readSuspendedList(config);
}
