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
interface AnchorFile {
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
 * the old content or the new one, also if the process is killed; a file `<path>.tmp` may stay, which the next call replaces. Only one
 * call at a time may write to a path.
 *
 * @param zeroState - Of the network.
 * @throws The error of the file system.
 *
 * @example
 * await writeAnchor("anchor.json", config.zeroState, keyBlock);
 */
export async function writeAnchor(path: string, zeroState: BlockId, block: BlockId): Promise<void> {
  if (!isSameShard(block, MASTERCHAIN)) throw new RangeError("an anchor must be a block of the masterchain");
  const content: AnchorFile = {
    format: FORMAT,
    network: [hex(zeroState.rootHash), hex(zeroState.fileHash)],
    ...{ seqno: block.seqno, rootHash: hex(block.rootHash), fileHash: hex(block.fileHash) },
  };
  const partial = `${path}.tmp`;
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
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
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
function parse(text: string): AnchorFile | undefined {
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
