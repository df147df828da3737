import { CommandLineError, type Terminal } from "@chain-query/command-line";
import { readBlock } from "@chain-query/format/blocks";
import { base64, readBoc } from "@chain-query/format/cells";
import { accountName, blockName, shardName } from "@chain-query/format/identifiers";
import {
  type AccountId,
  accountOf,
  type BlockHeader,
  ChainStoreError,
  type ChainTransaction,
  type ShardId,
} from "@chain-query/format/store";
import { decodeTransaction } from "@chain-query/format/transactions";
import { Address } from "@ton/core";
import type { LocalChain } from "../domain.ts";
import { chainReader } from "../reading/chain-reader.ts";
import { chainFileToRead } from "../store/chain-folder.ts";
import { storedGenesis, storedHead } from "../store/store-contents.ts";
import { countOf, openTables, type Tables } from "../store/tables.ts";
import type { InspectCommand, InspectTarget } from "./arguments.ts";
import { currencies, type Description, describeTransaction, toJson, transactionName } from "./transaction.ts";

/** Accounts of a chain, and transactions of an account, that are shown. */
const SHOWN = 10;

/** Prints a chain or one of its objects as JSON. */
export async function inspect({ directory, target }: InspectCommand, { stdout }: Terminal): Promise<number> {
  const tables = openTables(chainFileToRead(directory), "read");
  try {
    stdout.write(`${toJson(describe(tables, target))}\n`);
    return 0;
  } finally {
    await tables.root.close();
  }
}

function describe(tables: Tables, target: InspectTarget): Description {
  const chain = chainReader(tables, () => Promise.resolve());
  switch (target.of) {
    case "chain":
      return describeChain(chain, tables);
    case "block":
      return describeBlock(chain, findBlock(chain, target.name));
    case "account":
      return describeAccount(chain, parseAccount(target.name));
    case "transaction":
      return describeTransaction(chain, findTransaction(chain, target.name));
  }
}

function describeChain(chain: LocalChain, tables: Tables): Description {
  const genesis = storedGenesis(tables);
  const { block, transactionCount } = chain.head();
  return {
    genesis: {
      ...Object.fromEntries(Object.entries(genesis.options).map(([name, value]) => [name, `${value}`])),
      zero_state: base64(genesis.masterchain.rootHash),
    },
    head: {
      block: blockName(block.id),
      root_hash: base64(block.id.rootHash),
      time: block.time,
      retained_since: chain.retainedSince(),
      transactions: `${transactionCount}`,
      fees_burnt: `${storedHead(tables).burnt}`,
    },
    shards: Object.fromEntries(
      chain
        .shards()
        .map(({ id, endLt, transactionCount: transactions, queueSize }) => [
          shardName(id),
          `block ${id.seqno}, lt ${endLt}, ${transactions} transactions, ${queueSize} messages in its queue`,
        ]),
    ),
    accounts: { number: countOf(tables.accounts), first: Object.fromEntries(firstAccounts(chain, tables)) },
  };
}

function firstAccounts(chain: LocalChain, tables: Tables): [string, string][] {
  return Array.from(tables.accounts.getKeys({ limit: SHOWN }), (key) => {
    const account = accountOf(key);
    const state = chain.account(account);
    return [accountName(account), `${state?.status}, balance ${state?.balance}, last lt ${state?.last.lt}`];
  });
}

/** A block with its transactions, and a masterchain block with its shard blocks. */
function describeBlock(chain: LocalChain, block: BlockHeader): Description {
  const boc = chain.blockData(block.id);
  if (!boc) throw new ChainStoreError(`the chain is damaged: block ${blockName(block.id)} is missing`);
  const { transactions, shards, flow } = readBlock(readBoc(boc));
  return {
    ...headerOf(block),
    bytes: boc.length,
    value: {
      before: `${flow.before.coins}`,
      after: `${flow.after.coins}`,
      imported: `${flow.imported.coins}`,
      exported: `${flow.exported.coins}`,
      fees_collected: `${flow.feesCollected.coins}`,
    },
    ...(shards.length > 0 && { shards: shards.map((shard) => blockName({ ...shard, seqno: shard.block.seqno })) }),
    transactions: transactions.map((cell) => {
      const { accountHash, id, fee, inMessage, outMessages } = decodeTransaction(cell);
      const account = { workchain: block.id.workchain, hash: accountHash };
      const cause = inMessage ? (inMessage.source ? "a message" : "an external message") : "the clock";
      return `${transactionName(account, id)}  fee ${fee}, caused by ${cause}, ${outMessages.length} messages sent`;
    }),
  };
}

function headerOf(block: BlockHeader): Description {
  return {
    block: blockName(block.id),
    root_hash: base64(block.id.rootHash),
    file_hash: base64(block.id.fileHash),
    state_root_hash: base64(block.stateRootHash),
    previous: blockName(block.previous),
    start_lt: `${block.startLt}`,
    end_lt: `${block.endLt}`,
    time: block.time,
    masterchain_seqno: block.masterchainSeqno,
    transaction_count: block.transactionCount,
    queue: block.queueSize,
  };
}

/** An account at the head, with its newest transactions. */
function describeAccount(chain: LocalChain, account: AccountId): Description {
  const state = chain.account(account);
  if (!state) throw new ChainStoreError("the chain has no block yet");
  return {
    account: accountName(account),
    status: state.status,
    balance: `${state.balance}`,
    extra_currencies: currencies(state.extraCurrencies),
    code: state.code && base64(state.code),
    data: state.data && base64(state.data),
    frozen_hash: state.frozenHash && base64(state.frozenHash),
    last_transaction: state.last.lt === 0n ? "none" : transactionName(account, state.last),
    transactions: newestTransactions(chain, account).map(
      ({ id, fee, outMessages }) => `${id.lt}  fee ${fee}, ${outMessages.length} messages sent`,
    ),
  };
}

function newestTransactions(chain: LocalChain, account: AccountId): ChainTransaction[] {
  const newest: ChainTransaction[] = [];
  for (const transaction of chain.transactions(account)) {
    newest.push(transaction);
    if (newest.length === SHOWN) break;
  }
  return newest;
}

const BLOCK = /^(?:(-?\d{1,10}):)?(?:([0-9a-f]{16}):)?(\d{1,10})$/i;

/** Finds a block: `12` and `-1:12` are of the masterchain, `0:a000000000000000:12` of a shard. */
function findBlock(chain: LocalChain, name: string): BlockHeader {
  const [, workchain = "-1", prefix, seqno] = BLOCK.exec(name) ?? [];
  if (seqno === undefined) throw invalidName("block", name, "12, -1:12 or 0:a000000000000000:12");
  const shards = chain.shards().filter(({ id }) => id.workchain === Number(workchain));
  const shard = findShard(
    name,
    shards.map(({ id }) => id),
    prefix,
  );
  const newest = shards.find(({ id }) => id.shard === shard.shard)?.id.seqno;
  const found = chain.block(shard, { seqno: Number(seqno) });
  if (!found) throw invalidName("block", name, `a block of this shard, from 1 to ${newest}`);
  return found;
}

function findShard(name: string, shards: readonly ShardId[], prefix: string | undefined): ShardId {
  const [only, ...others] = shards;
  const named = prefix === undefined ? only : shards.find((shard) => shardName(shard).endsWith(`:${prefix.toLowerCase()}`));
  if (named && (prefix !== undefined || others.length === 0)) return named;
  throw invalidName("block", name, `a block of ${shards.map(shardName).join(", ") || "the workchains -1 and 0"}`);
}

/** Parses an address in raw or user-friendly form. */
function parseAccount(name: string): AccountId {
  const found = readAddress(name);
  if (typeof found === "string") throw invalidName("account", name, addressForms, ` (${found})`);
  return found;
}

/** Returns a reason as text if it is not an address. */
function readAddress(text: string): AccountId | string {
  const [, digits, hash = ""] = /^(-?\d{1,10}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (digits !== undefined) {
    const workchain = Number(digits);
    if (workchain !== (workchain | 0)) return `workchain ${workchain} does not fit 32 bits`;
    return { workchain, hash: new Uint8Array(Buffer.from(hash, "hex")) };
  }
  if (text.includes(":")) return "malformed raw form";
  if (!Address.isFriendly(text)) return `${text.length} characters`;
  try {
    const { address } = Address.parseFriendly(text);
    return { workchain: address.workChain, hash: new Uint8Array(address.hash) };
  } catch {
    return "wrong checksum or flags";
  }
}

const addressForms = "workchain:64 hexadecimal digits or 48 characters of base64";

/** Finds a transaction by its account and logical time, separated by a colon. */
function findTransaction(chain: LocalChain, name: string): ChainTransaction {
  const end = name.lastIndexOf(":");
  const lt = name.slice(end + 1);
  const account = /^\d{1,20}$/.test(lt) ? readAddress(name.slice(0, Math.max(0, end))) : undefined;
  if (typeof account !== "object") throw invalidName("transaction", name, "an address, a colon and a logical time");
  const found = chain.transaction(account, BigInt(lt));
  if (!found) throw invalidName("transaction", name, "the logical time of a transaction of this account");
  return found;
}

function invalidName(option: string, name: string, accepted: string, reason = ""): CommandLineError {
  return new CommandLineError([`--${option}: expected ${accepted}, got ${JSON.stringify(name)}${reason}`]);
}
