/**
 * One session of a connection. An address may lead to another server when it is opened again, which may lack steps or hold another chain.
 * So a session is read from only after it has returned its chain, and a head that is not older than the read.
 */
import { coalesced } from "@chain-query/format/async";
import { isEqual } from "@chain-query/format/cells";
import { connect, type Database, type Parameter, placeOf } from "../database/client.ts";
import { chainRecord, headRowRecord } from "../database/head-record.ts";
import { selectChain, selectHead } from "../database/statements.ts";
import { requireSchema } from "../migrate.ts";
import { type IndexedChain, type IndexHead, type PostgresConnection, PostgresStoreError } from "../types.ts";

/** Rows as lists of columns. */
export type Rows = readonly (readonly unknown[])[];

/** The data that all sessions of a connection share. */
export interface SessionState {
  readonly connection: PostgresConnection;
  /** Root hash of the masterchain's zero state. */
  zeroState: Uint8Array | undefined;
  /** The same object until the head moves, so that results can be cached by it. */
  newest: { readonly text: string; readonly head: IndexHead } | undefined;
}

/** Is not used any more once it was closed. */
export class Session {
  /** Whether it was closed, or could not be opened. */
  isClosed = false;
  /** Reads that wait for an answer. */
  inFlight = 0;
  /** The time of the last answer, in steps of the connection's timer; negative before the first answer. */
  lastAnswerAt = -1;
  readonly #state: SessionState;
  readonly #sql: Database;
  #isOfChain = false;
  /** Reads the chain, for all reads that wait for it. */
  #checking: Promise<unknown> | undefined;
  /** The newest head that this session has read. */
  #head: IndexHead | undefined;
  /** Reads the head, for all statements that wait for it. */
  readonly #sharedHead: () => Promise<IndexHead>;

  /** @param onClose - Called when the session was closed or could not be opened: the client leaves some statements waiting then. */
  constructor(state: SessionState, onClose: () => void) {
    this.#state = state;
    this.#sql = connect({ ...state.connection, connections: 1 }, "reader", onClose, true);
    this.#sharedHead = coalesced(() => this.head());
  }

  /** @throws PostgresStoreError of kind "other-chain", "schema" or "refused". */
  async chain(): Promise<IndexedChain> {
    await requireSchema(this.#sql, this.#state.connection);
    const [text] = await this.#values(selectChain, []);
    if (text === undefined) throw empty();
    const chain = chainRecord.decode(Buffer.from(String(text), "base64"));
    const { rootHash } = chain.masterchain;
    this.#state.zeroState ??= rootHash;
    if (!isEqual(rootHash, this.#state.zeroState))
      throw new PostgresStoreError("other-chain", `${this.#place} has the index of another network`);
    this.#isOfChain = true;
    return chain;
  }

  /** Reads the head. The database sends its record only if the head has moved since this session read it. @throws PostgresStoreError. */
  async head(): Promise<IndexHead> {
    if (!this.#isOfChain) await this.#checked();
    const [value] = await this.#values(selectHead, [this.#seqno]);
    if (value === undefined) throw empty();
    if (value === null && this.#head !== undefined) return this.#head;
    const text = String(value);
    const state = this.#state;
    if (state.newest?.text !== text) state.newest = { text, head: headOf(text) };
    this.#head = state.newest.head;
    return this.#head;
  }

  /** A statement's rows as of a head. @throws PostgresStoreError of kind "behind" if the database does not have it. */
  async rows(statement: string, parameters: readonly Parameter[], at: number): Promise<Rows> {
    if (!this.#isOfChain) await this.#checked();
    if (this.#seqno < at) await this.#sharedHead();
    if (this.#seqno >= at) return this.#rows(statement, parameters);
    throw new PostgresStoreError(
      "behind",
      `${this.#place}: the newest step of the database is ${this.#seqno}, asked for ${at}`,
    );
  }

  #checked(): Promise<unknown> {
    this.#checking ??= this.chain().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async end(seconds: number): Promise<void> {
    await this.#sql.end({ timeout: seconds });
  }

  get #place(): string {
    return `PostgreSQL at ${placeOf(this.#state.connection)}`;
  }

  get #seqno(): number {
    return this.#head?.block.id.seqno ?? -1;
  }

  /** The first column of a statement's rows. */
  async #values(statement: string, parameters: readonly Parameter[]): Promise<unknown[]> {
    const rows = await this.#rows(statement, parameters);
    return rows.map((row) => row[0]);
  }

  #rows(statement: string, parameters: readonly Parameter[]): Promise<Rows> {
    return this.#sql.unsafe(statement, [...parameters], { prepare: true }).values();
  }
}

function headOf(text: string): IndexHead {
  const { transactionCount, shards } = headRowRecord.decode(Buffer.from(text, "base64"));
  const [block] = shards;
  if (block === undefined) throw new PostgresStoreError("damaged", "the index is damaged: the head has no block");
  return { block, transactionCount, shards };
}

function empty(): PostgresStoreError {
  return new PostgresStoreError("schema", "the index is empty: run chain-query-indexer run");
}
