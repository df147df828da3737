import { readFile } from "node:fs/promises";
import { hex } from "@chain-query/format/cells";
import { type BlockId, MASTERCHAIN } from "@chain-query/format/identifiers";
import { replaceFile } from "./anchor.ts";

/** Two chains that validators have signed. */
export interface SignedFork {
  /** Nothing may be read as of this masterchain block and later ones. */
  readonly seqno: number;
  readonly blocks: readonly [verified: BlockId, other: BlockId];
  /** The name of the server with the other block. */
  readonly server: string;
}

/**
 * Keeps the record that validators have signed two chains, until an operator removes it. Otherwise the next start would believe one of the
 * chains.
 */
export interface SignedForkStore {
  /** How an operator removes the record, such as `remove the file /var/lib/anchor.json.fork`. */
  readonly removal: string;
  /** Undefined if there is no record. */
  read(): Promise<string | undefined>;
  /** Keeps the first record if there is one. */
  write(record: string): Promise<void>;
}

/** A record of one line, which operators read too. */
function formatSignedFork({ seqno, blocks, server }: SignedFork): string {
  const ids = blocks.map((block) => ({ seqno: block.seqno, rootHash: hex(block.rootHash), fileHash: hex(block.fileHash) }));
  return JSON.stringify({ seqno, blocks: ids, server });
}

/** A record with another content counts too: only an operator may end it. */
function parseSignedFork(record: string): SignedFork {
  const bytesOf = (text: unknown): Uint8Array => Uint8Array.from(Buffer.from(String(text), "hex"));
  const blockOf = (id: Partial<Record<string, unknown>> | undefined): BlockId => {
    const { seqno = 0, rootHash = "", fileHash = "" } = id ?? {};
    return { ...MASTERCHAIN, seqno: Number(seqno), rootHash: bytesOf(rootHash), fileHash: bytesOf(fileHash) };
  };
  try {
    const { seqno, blocks, server } = JSON.parse(record);
    return { seqno: Number(seqno) || 0, blocks: [blockOf(blocks[0]), blockOf(blocks[1])], server: String(server) };
  } catch {
    return { seqno: 0, blocks: [blockOf(undefined), blockOf(undefined)], server: "unknown" };
  }
}

/** Keeps the record in a file beside the anchor. */
export function signedForkFile(anchorFile: string): SignedForkStore {
  const path = `${anchorFile}.fork`;
  return {
    removal: `remove the file ${path}`,
    read: () =>
      readFile(path, "utf8").catch((error: unknown) => {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw error;
      }),
    write: (record) => replaceFile(path, `${record}\n`),
  };
}

/** Milliseconds between two reads of the record, also of processes that share it, and between two attempts to write it. */
const INTERVAL = 5_000;
/** Milliseconds until another attempt to read it for the first time. */
const FIRST_INTERVAL = 1_000;

/** The record of a client, which other processes may write, too. */
export class SignedForkRecord {
  /** Whether it was read. Until then, nothing may be believed. */
  isRead: boolean;
  /** Why the record could not be read or written. */
  problem: string | undefined;
  readonly #store: SignedForkStore | undefined;
  readonly #onFound: (fork: SignedFork) => void;
  #unwritten: SignedFork | undefined;
  #isBusy = false;
  #nextAt = Number.NEGATIVE_INFINITY;

  /** @param onFound - Called with each read that finds a record. */
  constructor(store: SignedForkStore | undefined, onFound: (fork: SignedFork) => void) {
    this.#store = store;
    this.#onFound = onFound;
    this.isRead = store === undefined;
  }

  /** What an operator does when the right chain is known. */
  get remedy(): string {
    return `${this.#store === undefined ? "" : `${this.#store.removal}, and `}restart`;
  }

  /** Writes a record, now and until it is written. */
  keep(fork: SignedFork): void {
    this.#unwritten = fork;
    this.#nextAt = Number.NEGATIVE_INFINITY;
    void this.update();
  }

  /** Reads the record, or writes it, if it is time to. */
  async update(): Promise<void> {
    if (this.#store === undefined || this.#isBusy || performance.now() < this.#nextAt) return;
    this.#isBusy = true;
    const isWrite = this.#unwritten !== undefined;
    try {
      if (this.#unwritten) await this.#store.write(formatSignedFork(this.#unwritten));
      this.#unwritten = undefined;
      const record = await this.#store.read();
      if (record !== undefined) this.#onFound(parseSignedFork(record));
      this.isRead = true;
      this.problem = undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.problem = `the record of signed chains cannot be ${isWrite ? "written" : "read"}: ${reason}`;
    } finally {
      this.#isBusy = false;
      this.#nextAt = performance.now() + (this.isRead ? INTERVAL : FIRST_INTERVAL);
    }
  }
}
