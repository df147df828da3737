import { headerRecord } from "@chain-query/chain-store";
import type { Connection } from "../connection.ts";
import { READ_BOUNDS } from "../partitions/partition-statements.ts";
import { partitionsOf } from "../partitions/partitions.ts";
import { selectBlockBySeqno } from "./read-statements.ts";

/** The beginning of a partition. */
interface Floor {
  readonly seqno: number;
  /** Transactions of older partitions have lower logical times. */
  readonly lt: bigint;
}

/** Milliseconds after which the partitions are read again. An old map is right too, but leads into larger ranges. */
const MAX_AGE = 60_000;
const MASTERCHAIN = [-1, -(2n ** 63n)] as const;

/** Which partition has the transactions of a logical time, so that most questions look into one. */
export class PartitionMap {
  readonly #reads: Connection;
  readonly #lts = new Map<number, bigint>();
  /** Newest first. */
  #floors: readonly Floor[] = [];
  #loading: Promise<void> | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;

  constructor(reads: Connection) {
    this.#reads = reads;
  }

  /**
   * The steps, up to `at`, of the partition that was open at a logical time. Older ones have no transaction of this or a later time, and
   * newer ones few of an earlier time.
   */
  async around(lt: bigint, at: number): Promise<{ readonly first: number; readonly last: number }> {
    if (performance.now() - this.#loadedAt > MAX_AGE) {
      this.#loading ??= this.#load(at).finally(() => {
        this.#loading = undefined;
      });
      if (this.#floors.length === 0) await this.#loading;
      else this.#loading.catch(() => {});
    }
    let last = at;
    for (const floor of this.#floors) {
      if (floor.seqno > at) continue;
      if (floor.lt <= lt) return { first: floor.seqno, last };
      last = floor.seqno - 1;
    }
    return { first: 0, last };
  }

  async #load(at: number): Promise<void> {
    const rows = await this.#reads.rows(READ_BOUNDS, [], at);
    const bounds = rows.filter(([table]) => table === "transactions").map(([, text]) => String(text));
    const floors: Floor[] = [{ seqno: 0, lt: 0n }];
    for (const { from: seqno } of partitionsOf(bounds)) {
      const lt = seqno > 0 && seqno <= at ? await this.#endLt(seqno - 1, at) : undefined;
      if (lt !== undefined) floors.unshift({ seqno, lt });
    }
    this.#floors = floors;
    this.#loadedAt = performance.now();
  }

  async #endLt(seqno: number, at: number): Promise<bigint | undefined> {
    const known = this.#lts.get(seqno);
    if (known !== undefined) return known;
    const [record] = await this.#reads.records(selectBlockBySeqno, [...MASTERCHAIN, seqno, at], at);
    if (record === undefined) return undefined;
    const { endLt } = headerRecord.decode(record);
    this.#lts.set(seqno, endLt);
    return endLt;
  }
}
