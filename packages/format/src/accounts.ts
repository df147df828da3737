import { concat, fromBinaryString, isEqual, toBinaryString } from "./cells/bytes.ts";
import { Cell, type Digest } from "./cells/cell.ts";
import { CellBuilder } from "./cells/cell-builder.ts";
import { CellReader, readTag } from "./cells/cell-reader.ts";
import {
  addCurrencies,
  type Currencies,
  type ExtraCurrency,
  NO_CURRENCIES,
  readCurrencies,
  writeCurrencies,
} from "./currencies.ts";
import { lookUp, readEntries, uint32Key } from "./dictionaries/hashmap.ts";
import type { TrieFormat } from "./dictionaries/trie.ts";
import { type AccountId, readAccountAddress, type TransactionId } from "./identifiers.ts";
import { readStateInit } from "./messages.ts";

/** `active` with code, `frozen` with only the hash of its last state, otherwise `uninitialized`. */
export type AccountStatus = "uninitialized" | "active" | "frozen";

/** The contents of an account. */
export interface DecodedAccount {
  readonly status: AccountStatus;
  /** In the smallest unit of the network's currency. */
  readonly balance: bigint;
  readonly extraCurrencies: readonly ExtraCurrency[];
  readonly code?: Cell;
  readonly data?: Cell;
  /** Root of the dictionary of its libraries, see `readAccountLibraries`; absent if it has none. */
  readonly libraries?: Cell;
  /** Of a frozen account: the hash of the state that it had. */
  readonly frozenHash?: Uint8Array;
}

/**
 * Decodes an account. One that does not exist is uninitialized, with a balance of 0.
 *
 * TL-B `account_none$0 = Account`, `account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account`.
 *
 * @throws CellError if the cell does not hold an account.
 *
 * @example
 * const { status, balance } = decodeAccount(cell);
 */
export function decodeAccount(cell: Cell): DecodedAccount {
  const reader = new CellReader(cell);
  const stored = readBalance(reader);
  const { coins, extra } = stored ?? NO_CURRENCIES;
  const { code, data, libraries, frozenHash } = stored ? readState(reader) : NO_STATE;
  return {
    status: code ? "active" : frozenHash ? "frozen" : "uninitialized",
    balance: coins,
    extraCurrencies: extra,
    ...(code && { code }),
    ...(data && { data }),
    ...(libraries && { libraries }),
    ...(frozenHash && { frozenHash }),
  };
}

/** Decodes an account with the id of its last transaction, see `readShardAccount`. */
export function decodeShardAccount(cell: Cell): DecodedAccount & { readonly last: TransactionId } {
  const reader = new CellReader(cell);
  return { ...decodeAccount(reader.ref()), last: { hash: reader.bytes(32), lt: reader.bigUint(64) } };
}

/**
 * Reads an account up to its balance; undefined for `account_none`.
 *
 * TL-B `storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32 due_payment:(Maybe Grams) = StorageInfo`,
 * `storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed`, `storage_extra_none$000`,
 * `storage_extra_info$001 dict_hash:uint256`,
 * `account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage`.
 */
function readBalance(reader: CellReader): Currencies | undefined {
  if (!reader.bit()) return undefined;
  readAccountAddress(reader);
  reader.varUint(3);
  reader.varUint(3);
  const extra = readTag(reader, 3, "StorageExtraInfo", 0, 1);
  reader.skip(extra === 1 ? 256 + 32 : 32);
  if (reader.bit()) reader.coins();
  return readCurrencies(reader.skip(64));
}

interface State {
  readonly code?: Cell | undefined;
  readonly data?: Cell | undefined;
  readonly libraries?: Cell | undefined;
  readonly frozenHash?: Uint8Array;
}

const NO_STATE: State = {};

/** TL-B `account_uninit$00`, `account_frozen$01 state_hash:bits256`, `account_active$1 _:StateInit`. */
function readState(reader: CellReader): State {
  if (reader.bit()) return readStateInit(reader);
  return reader.bit() ? { frozenHash: reader.bytes(32) } : NO_STATE;
}

/** A library that an account has. */
export interface AccountLibrary {
  /** Its key in the dictionary. */
  readonly hash: Uint8Array;
  readonly root: Cell;
  /** Contracts of the network can use it by its hash, if the account is in the masterchain. */
  readonly isPublic: boolean;
}

/**
 * Reads the libraries of an account by rising hash.
 *
 * TL-B `library:(HashmapE 256 SimpleLib)`, `simple_lib$_ public:Bool root:^Cell = SimpleLib`. A library under another key than its hash,
 * which the state that deploys a contract may have, is not public.
 *
 * @param root - Of the dictionary, see `DecodedAccount.libraries`.
 * @throws CellError if the cells do not hold them.
 *
 * @example
 * const { libraries } = decodeAccount(cell);
 * for (const { hash, isPublic } of libraries ? readAccountLibraries(libraries) : []) console.log(hash, isPublic);
 */
export function* readAccountLibraries(root: Cell): Generator<AccountLibrary, void, undefined> {
  for (const { key, leaf } of readEntries(root, 256)) {
    const mayBePublic = leaf.bit();
    const library = leaf.ref();
    yield { hash: key, root: library, isPublic: mayBePublic && isEqual(library.hashAt(0), key) };
  }
}

/** The number of the configuration's parameter that suspends accounts. */
export const SUSPENDED_ACCOUNTS = 44;

/**
 * The accounts that a configuration suspends, for `isSuspended`; undefined if it has no list of them.
 *
 * @param config - Root of the configuration's dictionary; may be from a proof that shows the parameter.
 *
 * @example
 * const list = readSuspendedList(readMasterchainParts(state).config);
 * if (isSuspended(list, account, time)) console.log("validators do not deploy it");
 */
export function readSuspendedList(config: Cell): Cell | undefined {
  return lookUp(config, uint32Key(SUSPENDED_ACCOUNTS), 32)?.ref();
}

/**
 * Whether a list has an account, and ends later. Validators do not deploy such an account.
 *
 * TL-B `suspended_address_list#00 addresses:(HashmapE 288 Unit) suspended_until:uint32 = SuspendedAddressList`, where a key is a workchain
 * and an address.
 *
 * @param list - See `readSuspendedList`.
 * @param time - Of the block as of which the configuration is, in Unix seconds.
 * @throws CellError if the list is in another form.
 */
export function isSuspended(list: Cell | undefined, { workchain, hash }: AccountId, time: number): boolean {
  if (!list) return false;
  const reader = new CellReader(list);
  readTag(reader, 8, "SuspendedAddressList", 0);
  const addresses = reader.maybeRef();
  const key = concat(uint32Key(workchain), hash);
  return addresses !== undefined && reader.uint(32) > time && lookUp(addresses, key, 288) !== undefined;
}

/** An account as an entry of its shard's state. */
export interface ShardAccount {
  /** The account's cell, or its digest if only the hash of the state is needed. */
  readonly account: Digest;
  readonly balance: Currencies;
  /** Of the account's last transaction. */
  readonly lastHash: Uint8Array;
  readonly lastLt: bigint;
}

/**
 * Reads an entry of a shard's accounts; undefined if the account does not exist.
 *
 * TL-B `account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount`.
 *
 * @param keep - "digest" keeps no cell of the account in memory, which is enough to hash a state.
 */
export function readShardAccount(cell: Cell, keep: "cell" | "digest"): ShardAccount | undefined {
  const reader = new CellReader(cell);
  const account = reader.ref();
  const balance = readBalance(new CellReader(account));
  if (!balance) return undefined;
  const lastHash = reader.bytes(32);
  const lastLt = reader.bigUint(64);
  if (keep === "cell") return { account, balance, lastHash, lastLt };
  return new CompactAccount(balance, toBinaryString(account.hash) + toBinaryString(lastHash), account.depth, lastLt);
}

/**
 * The entry of an account in its shard's state: TL-B ShardAccount, see `readShardAccount`.
 *
 * @param account - TL-B Account.
 * @param last - The account's last transaction.
 */
export function buildShardAccount(account: Digest, last: TransactionId): Cell {
  return new CellBuilder().ref(account).bytes(last.hash).bigUint(last.lt, 64).cell();
}

/** TL-B `account_none$0`. */
export const NO_ACCOUNT: Cell = /* @__PURE__ */ new Cell(/* @__PURE__ */ Uint8Array.of(0x40), 1, []);

/** An account without cells, small in memory because a state may have hundreds of thousands. */
class CompactAccount implements ShardAccount {
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
    return { hash: fromBinaryString(this.#hashes, 0, 32), depth: this.#depth };
  }

  get lastHash(): Uint8Array {
    return fromBinaryString(this.#hashes, 32);
  }
}

/**
 * The dictionary of a shard's accounts by address, with the sum of their balances.
 *
 * TL-B `_ (HashmapAugE 256 ShardAccount DepthBalanceInfo) = ShardAccounts`,
 * `depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo`. The split depth is always 0.
 */
export const SHARD_ACCOUNTS: TrieFormat<ShardAccount, Currencies> = {
  width: 256,
  augmentation: {
    empty: NO_CURRENCIES,
    combine: addCurrencies,
    write: (builder, balance) => writeCurrencies(builder.uint(0, 5), balance),
  },
  extraOf: ({ balance }) => balance,
  writeValue: (builder, { account, lastHash, lastLt }) => builder.ref(account).bytes(lastHash).bigUint(lastLt, 64),
};
