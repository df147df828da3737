import { createHash } from "node:crypto";

/** What the chain's row knows of the accounts of its zero state. No transaction made their rows, so nothing else tells if one is missing. */
export interface ZeroAccounts {
  readonly count: number;
  /** The sum of the SHA-256 hashes of the rows, their key and then their record, modulo 2^256: the same in every order. */
  readonly digest: Uint8Array;
}

/** Sums up accounts of the zero state. */
export class ZeroAccountsSum {
  #count = 0;
  #sum = 0n;

  add(key: Uint8Array, record: Uint8Array): void {
    const hash = createHash("sha256").update(key).update(record).digest("hex");
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash}`));
    this.#count += 1;
  }

  get value(): ZeroAccounts {
    return { count: this.#count, digest: Buffer.from(this.#sum.toString(16).padStart(64, "0"), "hex") };
  }
}
