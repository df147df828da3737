import { createHash } from "node:crypto";
import { mustEqual } from "./fault.ts";

/** The row of table `history`. */
export interface StoredHistory {
  /** The first step that is there. */
  readonly firstSeqno: number;
  /** The end of the dropped steps in logical time. */
  readonly endLt: bigint;
  /** Rows of `account_base`. */
  readonly accounts: bigint;
  /** The XOR of the first eight bytes of the SHA-256 hashes of their keys, steps and records. */
  readonly digest: bigint;
}

/** Sums up the rows of `account_base`. Transactions refer to those of accounts that changed later; nothing else tells of the others. */
export class BaseSum {
  #accounts = 0n;
  #digest = 0n;

  add(key: Uint8Array, seqno: number, record: Uint8Array): void {
    const step = Buffer.alloc(4);
    step.writeInt32BE(seqno);
    this.#accounts += 1n;
    this.#digest ^= createHash("sha256").update(key).update(step).update(record).digest().readBigInt64BE();
  }

  /** @throws PostgresStoreError if they are not what was kept when history was dropped. */
  mustBe({ accounts, digest }: StoredHistory): void {
    mustEqual(this.#accounts, accounts, () => "number of accounts that dropped steps left");
    mustEqual(this.#digest, digest, () => "digest of the accounts that dropped steps left");
  }
}
