/** The readers of this package, by the kind of a cell. */
import { decodeAccount, readAccountLibraries } from "../src/accounts.ts";
import {
  lookUpTransaction,
  readBlock,
  readBlockConfig,
  readBlockHeader,
  readBlockParts,
  readBlockShards,
  readTransactions,
  sumValueFlow,
} from "../src/blocks/index.ts";
import { type Cell, CellReader, openMerkleUpdate, readMerkleUpdate } from "../src/cells/index.ts";
import { lookUp, readEntries, uint32Key } from "../src/dictionaries/index.ts";
import {
  lookUpAccount,
  lookUpPastBlock,
  readAccounts,
  readMasterchainParts,
  readPublicLibraries,
  readQueueSize,
  readShardHashes,
  readShardTops,
  readState,
  readStateLibraries,
  readStateShards,
} from "../src/states/index.ts";
import { decodeTransaction, deletesAccount, readTransactionHeader } from "../src/transactions.ts";
import { selectMasterchainValidators } from "../src/validator-groups.ts";
import { readValidatorSet } from "../src/validators.ts";

export type Kind = "block" | "state" | "transaction" | "account" | "nested proof";
type Readers = Readonly<Record<string, (root: Cell) => unknown>>;

/** By the first bits: an account begins with the bit of `account$1` and a standard address. */
export function kindOf(root: Cell): Kind {
  if (root.type !== "ordinary") return "nested proof";
  const tag = new CellReader(root).uint(32);
  if (tag === 0x11ef55aa) return "block";
  if (tag === 0x9023afe2) return "state";
  if (tag >>> 28 === 7) return "transaction";
  if (tag >>> 29 === 6) return "account";
  throw new Error(`a recorded root begins with ${tag.toString(16)}, which no reader here knows`);
}

/** Readers of cells that a proof may leave out. */
export const PARTS: Readonly<Record<"block" | "state" | "nested proof", Readers>> = {
  block: {
    header: readBlockHeader,
    "previous blocks": (root) => readBlockHeader(root).readPrevious(),
    "masterchain block": (root) => readBlockHeader(root).readMaster(),
    "state hashes": (root) => readMerkleUpdate(readBlockParts(root).stateUpdate),
    "a transaction": (root) => readTransactions(root).next(),
    "shards of a block": (root) => readShardTops(readBlockShards(root)),
    "validators of a block": (root) => {
      const config = readBlockConfig(root);
      return config && selectMasterchainValidators(config, readBlockHeader(root).catchainSeqno);
    },
  },
  state: {
    state: readState,
    "size of a queue": readQueueSize,
    "masterchain part": readMasterchainParts,
    "shards of a state": (root) => readShardTops(readStateShards(root)),
    "public libraries": (root) => [...readPublicLibraries(readStateLibraries(root))],
    // The address of the configuration.
    "an account": (root) => lookUpAccount(root, Buffer.alloc(32, 0x55)),
  },
  // A proof of a proof, which @ton/core cannot read.
  "nested proof": { "proof of a proof": (root) => root.refs.map(({ hash }) => hash) },
};

/** Readers that need everything below them, too. */
export const READERS: Readonly<Record<Kind, Readers>> = {
  block: {
    ...PARTS.block,
    "a whole block": (root) => sumValueFlow(readBlock(root).flow),
    transactions: (root) => {
      for (const { cell, ...place } of readTransactions(root)) {
        decodeTransaction(lookUpTransaction(root, place) ?? cell);
        readTransactionHeader(cell);
      }
    },
    "shards with amounts": (root) => readShardHashes(readBlockShards(root)),
    "sets of validators": (root) => {
      const config = readBlockConfig(root);
      for (const id of [32, 33, 34, 35, 36, 37]) {
        const set = config && lookUp(config, uint32Key(id), 32)?.ref();
        if (set) readValidatorSet(set);
      }
      return config && [...readEntries(config, 32)];
    },
    "the state after it": (root) => readState(openMerkleUpdate(readBlockParts(root).stateUpdate)),
    "accounts after it": (root) => readEveryAccount(openMerkleUpdate(readBlockParts(root).stateUpdate)),
  },
  state: {
    ...PARTS.state,
    "past blocks": (root) => [1, 77, 4_351_353].map((seqno) => lookUpPastBlock(root, seqno)),
    accounts: readEveryAccount,
  },
  transaction: { decodeTransaction, readTransactionHeader, deletesAccount },
  account: {
    decodeAccount: (root) => {
      const { libraries } = decodeAccount(root);
      return libraries && [...readAccountLibraries(libraries)];
    },
  },
  "nested proof": PARTS["nested proof"],
};

function readEveryAccount(state: Cell): void {
  for (const { address, account } of readAccounts(readState(state).accounts)) {
    decodeAccount(account);
    const entry = lookUpAccount(state, address);
    if (entry) decodeAccount(entry.account);
  }
}
