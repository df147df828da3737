/**
 * One connection of a reader. An address may lead to another server when it is opened again, which may lack steps or hold another chain.
 * So a connection is read from only after it has told its chain, and a head that has what is asked for.
 */
import { coalesced } from "../coalesced.ts";
import { connect, type Database, type Parameter, placeOf } from "../connection.ts";
import { chainRecord, headRowRecord } from "../head-record.ts";
import { requireSchema } from "../migrate.ts";
import { codeOf } from "../store-error.ts";
import { type IndexedChain, type IndexHead, type PostgresConnection, PostgresStoreError } from "../types.ts";
import { selectChain, selectHead } from "./read-statements.ts";

/** Errors of a connection that was open. The statement can be sent again, since it only reads. */
const LOST = new Set(["CONNECTION_CLOSED", "ECONNRESET", "EPIPE", "57P01", "57P02"]);

/** What all connections of a reader have in common. */
export interface ReaderState {
  readonly connection: PostgresConnection;
  /** Root hash of the masterchain's zero state. */
  zeroState: Uint8Array | undefined;
  /** The same object until the head moves, so that results can be cached by it. */
  newest: { readonly text: string; readonly head: IndexHead } | undefined;
}

/** Is not used any more once it was closed. */
export class CheckedConnection {
  readonly #state: ReaderState;
  readonly #sql: Database;
  /** Reject the statements that wait. */
  readonly #waiting = new Set<(reason: Error) => void>();
  #isOfChain = false;
  /** The newest one that this connection has read. */
  #head: IndexHead | undefined;
  #isClosed = false;
  /** Reads the head, for all statements that wait for it. */
  readonly #sharedHead: () => Promise<IndexHead>;

  constructor(state: ReaderState) {
    this.#state = state;
    this.#sql = connect({ ...state.connection, connections: 1 }, "reader", () => this.#close(), true);
    this.#sharedHead = coalesced(() => this.head());
  }

  /** Statements that wait for an answer. */
  get inFlight(): number {
    return this.#waiting.size;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** @throws PostgresStoreError of kind "foreign" or "schema". */
  async chain(): Promise<IndexedChain> {
    await this.#answer(requireSchema(this.#sql));
    const [text] = await this.#values(selectChain, []);
    if (text === undefined) throw empty();
    const chain = chainRecord.decode(Buffer.from(String(text), "base64"));
    const { rootHash } = chain.masterchain;
    this.#state.zeroState ??= rootHash;
    if (Buffer.compare(rootHash, this.#state.zeroState) !== 0) {
      // The next connection may lead to another server.
      this.#close();
      await this.end(0);
      throw new PostgresStoreError("foreign", `${this.#place} has the index of another network`);
    }
    this.#isOfChain = true;
    return chain;
  }

  /** Reads the head. Its record is only sent if it is not the one that this connection has read before. @throws PostgresStoreError. */
  async head(): Promise<IndexHead> {
    if (!this.#isOfChain) await this.chain();
    const [value] = await this.#values(selectHead, [this.#seqno]);
    if (value === undefined) throw empty();
    if (value === null && this.#head !== undefined) return this.#head;
    const text = String(value);
    const state = this.#state;
    if (state.newest?.text !== text) state.newest = { text, head: headOf(Buffer.from(text, "base64")) };
    this.#head = state.newest.head;
    return this.#head;
  }

  /** A statement's rows as of a head. @throws PostgresStoreError of kind "behind" if the database does not have it. */
  async rows(statement: string, parameters: readonly Parameter[], at: number): Promise<readonly (readonly unknown[])[]> {
    if (this.#seqno < at) await this.#sharedHead();
    if (this.#seqno >= at) return this.#rows(statement, parameters);
    const problem = `the newest step of the database is ${this.#seqno}, asked for ${at}`;
    throw new PostgresStoreError("behind", `${this.#place}: ${problem}`);
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

  #rows(statement: string, parameters: readonly Parameter[]): Promise<readonly (readonly unknown[])[]> {
    return this.#answer(this.#sql.unsafe(statement, [...parameters], { prepare: true }).values());
  }

  /** What a statement answers, or the loss of the connection: the client leaves some statements waiting then. */
  async #answer<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.add(reject);
    if (this.#isClosed) reject(lost());
    answer.then(resolve, reject);
    try {
      return await promise;
    } catch (error) {
      if (isLost(error)) this.#close();
      throw error;
    } finally {
      this.#waiting.delete(reject);
    }
  }

  #close(): void {
    this.#isClosed = true;
    for (const reject of this.#waiting) reject(lost());
  }
}

/** Whether the connection was lost on which a statement was sent. */
export function isLost(error: unknown): boolean {
  return LOST.has(codeOf(error) ?? "");
}

function lost(): Error {
  return Object.assign(new Error("the connection was lost"), { code: "CONNECTION_CLOSED" });
}

function headOf(record: Uint8Array): IndexHead {
  const { transactionCount, shards } = headRowRecord.decode(record);
  const [block] = shards;
  if (block === undefined) throw new PostgresStoreError("damaged", "the index is damaged: the head has no block");
  return { block, transactionCount, shards };
}

function empty(): PostgresStoreError {
  return new PostgresStoreError("schema", "the index is empty: run chain-query-indexer run");
}
