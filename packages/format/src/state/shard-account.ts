import { bytesOfText, textOf } from "../cells/byte-text.ts";
import type { Cell } from "../cells/cell.ts";
import { CellError, CellReader } from "../cells/cell-reader.ts";
import type { Digest } from "../cells/digest.ts";
import type { Augmentation, TrieFormat } from "../dictionary/trie-node.ts";
import { addCurrencies, type Currencies, NO_CURRENCIES, readCurrencies, writeCurrencies } from "./currencies.ts";

/** An account as the state of its shard holds it. */
export interface ShardAccount {
  /** The account's cell, or only its digest where nobody is to ask for the state as cells. */
  readonly account: Digest;
  readonly balance: Currencies;
  readonly lastHash: Uint8Array;
  readonly lastLt: bigint;
}

/**
 * Reads a TL-B ShardAccount. Undefined where it holds no account (deleted, or never there).
 *
 * @param keep - "digest" keeps no cells of the account: what a state of many accounts needs to be hashed.
 */
export function readShardAccount(cell: Cell, keep: "cell" | "digest"): ShardAccount | undefined {
  const reader = new CellReader(cell);
  const account = reader.ref();
  const balance = readAccountBalance(account);
  if (!balance) return undefined;
  const lastHash = reader.bytes(32);
  const lastLt = reader.bigUint(64);
  if (keep === "cell") return { account, balance, lastHash, lastLt };
  return new KeptAccount(balance, textOf(Buffer.concat([account.hash, lastHash])), account.depth, lastLt);
}

/** An account without its cells, in as little memory as can be: there may be a hundred thousand. */
class KeptAccount implements ShardAccount {
  readonly balance: Currencies;
  readonly lastLt: bigint;
  readonly #hashes: string;
  readonly #depth: number;

  constructor(balance: Currencies, hashes: string, depth: number, lastLt: bigint) {
    this.balance = balance;
    this.lastLt = lastLt;
    this.#hashes = hashes;
    this.#depth = depth;
  }

  get account(): Digest {
    return { hash: bytesOfText(this.#hashes, 0, 32), depth: this.#depth };
  }

  get lastHash(): Uint8Array {
    return bytesOfText(this.#hashes, 32);
  }
}

/** The balance of a TL-B Account; undefined where there is none (account_none). */
function readAccountBalance(account: Cell): Currencies | undefined {
  const reader = new CellReader(account);
  if (!reader.bit()) return undefined;
  skipAddress(reader);
  for (let i = 0; i < 2; i++) reader.varUint(3);
  const extra = reader.uint(3);
  if (extra === 1) reader.skip(256);
  else if (extra !== 0) throw new CellError("an account's storage information is of an unknown kind");
  reader.skip(32);
  if (reader.bit()) reader.coins();
  reader.skip(64);
  return readCurrencies(reader);
}

/** TL-B ShardAccounts: accounts by address, with the balance of all as extra. No account is split at a depth of its own. */
export const SHARD_ACCOUNTS: TrieFormat<ShardAccount, Currencies> = {
  width: 256,
  augmentation: {
    empty: NO_CURRENCIES,
    combine: addCurrencies,
    write: (builder, balance) => writeCurrencies(builder.uint(0, 5), balance),
  } satisfies Augmentation<Currencies>,
  extraOf: ({ balance }) => balance,
  writeValue: (builder, { account, lastHash, lastLt }) => {
    builder.ref(account).bytes(lastHash).bigUint(lastLt, 64);
  },
};

function skipAddress(reader: CellReader): void {
  const kind = reader.uint(2);
  if (kind !== 2) throw new CellError("an account's address is none of 256 bits");
  if (reader.bit()) reader.skip(reader.uint(5));
  reader.skip(8 + 256);
}
