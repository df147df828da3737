import { type AccountId, accountOf, type BlockHeader, ChainStoreError, type Transaction } from "@chain-query/chain-store";
import type { Terminal } from "@chain-query/command-line";
import { readBlock } from "@chain-query/format/blocks";
import { readBoc } from "@chain-query/format/cells";
import { accountName, blockName, shardName } from "@chain-query/format/identifiers";
import { decodeTransaction } from "@chain-query/format/transactions";
import type { ChainReader } from "../domain.ts";
import { chainReader } from "../reading/chain-reader.ts";
import { chainFileToRead } from "../store/chain-folder.ts";
import { storedGenesis, storedHead } from "../store/store-contents.ts";
import { countOf, openTables, type Tables } from "../store/tables.ts";
import type { InspectCommand, Subject } from "./arguments.ts";
import { findBlock, findTransaction, parseAccount } from "./find.ts";
import { describeTransaction, transactionName } from "./transaction.ts";
import { base64, cells, currencies, type Description, time, toJson, toTree } from "./tree.ts";

/** How many accounts of a chain, and transactions of an account, are shown. */
const SHOWN = 10;

/** Prints a chain or something in it, as a tree or as JSON. */
export async function inspect({ directory, json, subject }: InspectCommand, { stdout }: Terminal): Promise<number> {
  const tables = openTables(chainFileToRead(directory), "read");
  try {
    const described = describe(tables, subject);
    stdout.write(`${json ? JSON.stringify(toJson(described), null, 2) : toTree(described)}\n`);
    return 0;
  } finally {
    await tables.root.close();
  }
}

function describe(tables: Tables, subject: Subject): Description {
  const chain = chainReader(tables, () => Promise.resolve());
  switch (subject.of) {
    case "chain":
      return describeChain(chain, tables);
    case "block":
      return describeBlock(chain, findBlock(chain, subject.name));
    case "account":
      return describeAccount(chain, parseAccount(subject.name));
    case "transaction":
      return describeTransaction(chain, findTransaction(chain, subject.name));
  }
}

function describeChain(chain: ChainReader, tables: Tables): Description {
  const genesis = storedGenesis(tables);
  const { block, transactionCount } = chain.head();
  const { totals } = storedHead(tables);
  return {
    genesis: {
      ...Object.fromEntries(Object.entries(genesis.options).map(([name, value]) => [name, `${value}`])),
      zero_state: base64(genesis.masterchain.rootHash),
    },
    head: {
      block: blockName(block.id),
      root_hash: base64(block.id.rootHash),
      time: time(block.time),
      retained_since: time(chain.retainedSince()),
      transactions: `${transactionCount}`,
      fees_burnt: `${totals.burnt}`,
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

function firstAccounts(chain: ChainReader, tables: Tables): [string, string][] {
  return Array.from(tables.accounts.getKeys({ limit: SHOWN }), (key) => {
    const account = accountOf(key);
    const state = chain.account(account);
    return [accountName(account), `${state?.status}, balance ${state?.balance}, last lt ${state?.last.lt}`];
  });
}

/** A block with its transactions, and a masterchain block with its shard blocks. */
function describeBlock(chain: ChainReader, block: BlockHeader): Description {
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
    time: time(block.time),
    masterchain_seqno: block.masterchainSeqno,
    transaction_count: block.transactionCount,
    queue: block.queueSize,
  };
}

/** An account at the head, with its newest transactions. */
function describeAccount(chain: ChainReader, account: AccountId): Description {
  const state = chain.account(account);
  if (!state) throw new ChainStoreError("the chain has no block yet");
  return {
    account: accountName(account),
    status: state.status,
    balance: `${state.balance}`,
    extra_currencies: currencies(state.extraCurrencies),
    code: state.code && cells(state.code),
    data: state.data && cells(state.data),
    frozen_hash: state.frozenHash && base64(state.frozenHash),
    last_transaction: state.last.lt === 0n ? "none" : transactionName(account, state.last),
    transactions: newestTransactions(chain, account).map(
      ({ id, fee, outMessages }) => `${id.lt}  fee ${fee}, ${outMessages.length} messages sent`,
    ),
  };
}

function newestTransactions(chain: ChainReader, account: AccountId): Transaction[] {
  const newest: Transaction[] = [];
  for (const transaction of chain.transactions(account)) {
    newest.push(transaction);
    if (newest.length === SHOWN) break;
  }
  return newest;
}
