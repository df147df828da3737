import { readFileSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { hex, sha256 } from "@chain-query/format/cells";
import { OperationalError } from "@chain-query/format/error";
import { type BlockId, isSameShard, MASTERCHAIN } from "@chain-query/format/identifiers";

/** An anchor file cannot be used. The message is one line: the file, what is wrong, and what to do. */
export class AnchorError extends OperationalError {
  override readonly name = "AnchorError";
  override readonly isUserError = true;
}

/** The content of an anchor file, without its checksum. */
interface AnchorContent {
  readonly format: number;
  /** Root hash and file hash of the zero state, which name the network. */
  readonly network: readonly [rootHash: string, fileHash: string];
  readonly seqno: number;
  readonly rootHash: string;
  readonly fileHash: string;
}

const FORMAT = 1;

/**
 * Writes the block from which the next start verifies, such as the `keyBlock` of `followBlockProof`, to a file of one line. The file has
 * the old content or the new one, also if the process is killed or several processes write; a file `<path>.<process id>.tmp` may stay.
 * In a process, only one call at a time may write to a path.
 *
 * @param zeroState - Of the network.
 * @throws The error of the file system.
 *
 * @example
 * await writeAnchor("anchor.json", config.zeroState, keyBlock);
 */
export async function writeAnchor(path: string, zeroState: BlockId, block: BlockId): Promise<void> {
  if (!isSameShard(block, MASTERCHAIN)) throw new RangeError("an anchor must be a block of the masterchain");
  const content: AnchorContent = {
    format: FORMAT,
    network: [hex(zeroState.rootHash), hex(zeroState.fileHash)],
    ...{ seqno: block.seqno, rootHash: hex(block.rootHash), fileHash: hex(block.fileHash) },
  };
  const partial = `${path}.${process.pid}.tmp`;
  const file = await open(partial, "w");
  try {
    await file.writeFile(`${JSON.stringify({ ...content, checksum: checksum(content) })}\n`);
    // Otherwise a loss of power could leave the name of the file without its content.
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
}

/**
 * Reads the block of an anchor file, see `writeAnchor`. Undefined if there is no such file.
 *
 * @param zeroState - Of the network.
 * @throws AnchorError if the file is damaged, of another network, or of a format that this version does not know.
 * @throws The error of the file system.
 *
 * @example
 * const trusted = (await readAnchor("anchor.json", config.zeroState)) ?? config.initBlock;
 */
export async function readAnchor(path: string, zeroState: BlockId): Promise<BlockId | undefined> {
  const text = await readFile(path, "utf8").catch(undefinedIfMissing);
  return text === undefined ? undefined : readContent(path, text, zeroState);
}

/** As `readAnchor`, at once. */
export function readAnchorSync(path: string, zeroState: BlockId): BlockId | undefined {
  let text: string | undefined;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    text = undefinedIfMissing(error as NodeJS.ErrnoException);
  }
  return text === undefined ? undefined : readContent(path, text, zeroState);
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

function readContent(path: string, text: string, zeroState: BlockId): BlockId {
  const content = parse(text);
  const remedy = "remove it to verify from the trusted block of the network again";
  if (!content) throw new AnchorError(`${path}: the anchor is damaged; ${remedy}`);
  if (content.format !== FORMAT) {
    throw new AnchorError(
      `${path}: the anchor has format ${content.format}, expected ${FORMAT}; update this program, or ${remedy}`,
    );
  }
  const { network, seqno } = content;
  if (network[0] !== hex(zeroState.rootHash) || network[1] !== hex(zeroState.fileHash)) {
    const networks = `zero state ${network[0]}, expected ${hex(zeroState.rootHash)}`;
    throw new AnchorError(`${path}: the anchor is of another network, with ${networks}; name another file, or ${remedy}`);
  }
  const hashes = { rootHash: bytesOf(content.rootHash), fileHash: bytesOf(content.fileHash) };
  return { ...MASTERCHAIN, seqno, ...hashes };
}

/** Undefined if the text is not what `writeAnchor` wrote, in any format. */
function parse(text: string): AnchorContent | undefined {
  try {
    const { checksum: given, ...content } = JSON.parse(text);
    return given === checksum(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

/** SHA-256 of the fields in their order. */
function checksum(content: object): string {
  return hex(sha256(Buffer.from(JSON.stringify(content))));
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

/** Keeps the newest verified key block of a client in a file. */
export class AnchorFile {
  readonly #path: string;
  readonly #zeroState: BlockId;
  readonly #onError: (error: Error) => void;
  #next: BlockId | undefined;
  #writing: Promise<void> | undefined;

  constructor(path: string, zeroState: BlockId, onError: (error: Error) => void) {
    this.#path = path;
    this.#zeroState = zeroState;
    this.#onError = onError;
  }

  /** Writes a block soon. Of several blocks, only the last one may be written. */
  keep(block: BlockId): void {
    this.#next = block;
    this.#writing ??= this.#write();
  }

  /** Resolves when nothing is left to write. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    for (let block = this.#next; block; block = this.#next) {
      this.#next = undefined;
      await writeAnchor(this.#path, this.#zeroState, block).catch(this.#onError);
    }
    this.#writing = undefined;
  }
}
