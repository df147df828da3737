import { randomUUID } from "node:crypto";
import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hex, sha256 } from "@chain-query/format/cells";
import { OperationalError } from "@chain-query/format/error";
import { type BlockId, isSameBlock, isSameShard, MASTERCHAIN } from "@chain-query/format/identifiers";

/** The part of a configuration that decides from which block to verify. */
export interface TrustedConfig {
  readonly zeroState: BlockId;
  readonly initBlock: BlockId;
  readonly hardforks: readonly BlockId[];
}

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
  /** The `initBlock` of the configuration with which it was verified. */
  readonly origin: readonly [seqno: number, rootHash: string];
}

const FORMAT = 2;
const REMEDY = "remove it to verify from the trusted block of the network again";

/**
 * Whether a block that was verified from an `initBlock` is verified for another configuration of the network, too: it has the same one, or a
 * newer one without a hard fork between them. A newer hard fork, or another block in the place of the former one, is a correction.
 */
export function isContinued(
  origin: Pick<BlockId, "seqno" | "rootHash">,
  { initBlock, hardforks }: Pick<TrustedConfig, "initBlock" | "hardforks">,
): boolean {
  if (hex(origin.rootHash) === hex(initBlock.rootHash)) return true;
  return initBlock.seqno > origin.seqno && hardforks.every(({ seqno }) => seqno <= origin.seqno);
}

/**
 * Writes the block from which the next start verifies, such as the `keyBlock` of `followBlockProof`, to a file of one line. The file has
 * the old content or the new one, also if the process is killed or several calls or processes write. If the process is killed, a file
 * `<path>.<random id>.tmp` may stay.
 *
 * @param config - Of the network, with the `initBlock` from which the block was verified.
 * @throws The error of the file system.
 *
 * @example
 * await writeAnchor("anchor.json", config, keyBlock);
 */
export async function writeAnchor(
  path: string,
  { zeroState, initBlock }: Pick<TrustedConfig, "zeroState" | "initBlock">,
  block: BlockId,
): Promise<void> {
  if (!isSameShard(block, MASTERCHAIN)) throw new RangeError("an anchor must be a block of the masterchain");
  const content: AnchorContent = {
    format: FORMAT,
    network: [hex(zeroState.rootHash), hex(zeroState.fileHash)],
    ...{ seqno: block.seqno, rootHash: hex(block.rootHash), fileHash: hex(block.fileHash) },
    origin: [initBlock.seqno, hex(initBlock.rootHash)],
  };
  await replaceFile(path, `${JSON.stringify({ ...content, checksum: checksum(content) })}\n`);
}

/** The file has the old content or the new one. @throws The error of the file system. */
export async function replaceFile(path: string, text: string): Promise<void> {
  // Containers have equal process ids.
  const partial = `${path}.${randomUUID()}.tmp`;
  try {
    // Otherwise a loss of power could leave the name of the file without its content.
    await writeFile(partial, text, { flag: "wx", flush: true });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/**
 * Reads the block of an anchor file, see `writeAnchor`. Undefined if there is no such file, or if the configuration's `initBlock` is newer.
 *
 * @throws AnchorError if the file cannot be read, is damaged, of another network, or of a format that this version does not know; also if
 * its block was verified from another `initBlock`, unless that of the configuration is newer and there is no hard fork between them.
 *
 * @example
 * const trusted = readAnchor("anchor.json", config) ?? config.initBlock;
 */
export function readAnchor(path: string, config: TrustedConfig): BlockId | undefined {
  const text = readText(path);
  return text === undefined ? undefined : readContent(path, text, config);
}

/**
 * The anchor file of a network in a folder, which is made if it is absent.
 *
 * @throws The error of the file system if the folder cannot be written.
 */
export function defaultAnchor(folder: string, { zeroState }: Pick<TrustedConfig, "zeroState">): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  accessSync(folder, constants.W_OK);
  return join(folder, `anchor-${hex(zeroState.rootHash).slice(0, 16)}.json`);
}

/** Undefined if the file does not exist, but could be written. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (!isMissing(error)) throw new AnchorError(`${path}: the anchor cannot be read, ${reasonOf(error)}; name another file`);
  }
  try {
    accessSync(dirname(path));
  } catch (error) {
    throw new AnchorError(`${path}: the anchor cannot be written, ${reasonOf(error)}; create its folder, or name another file`);
  }
  return undefined;
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function readContent(path: string, text: string, { zeroState, ...config }: TrustedConfig): BlockId | undefined {
  const content = parse(text);
  if (!content) throw new AnchorError(`${path}: the anchor is damaged; ${REMEDY}`);
  if (content.format !== FORMAT) {
    const versions = `the anchor is of another version of this program, with format ${content.format}, expected ${FORMAT}`;
    throw new AnchorError(`${path}: ${versions}; ${REMEDY}`);
  }
  if (!isComplete(content)) throw new AnchorError(`${path}: the anchor is damaged; ${REMEDY}`);
  const { network, seqno } = content;
  if (network[0] !== hex(zeroState.rootHash) || network[1] !== hex(zeroState.fileHash)) {
    const networks = `zero state ${network[0]}, expected ${hex(zeroState.rootHash)}`;
    throw new AnchorError(`${path}: the anchor is of another network, with ${networks}; name another file, or ${REMEDY}`);
  }
  const block = { ...MASTERCHAIN, seqno, rootHash: bytesOf(content.rootHash), fileHash: bytesOf(content.fileHash) };
  const { initBlock } = config;
  const origin = { seqno: content.origin[0], rootHash: bytesOf(content.origin[1]) };
  const isReplaced = seqno === initBlock.seqno && !isSameBlock(block, initBlock);
  if (isReplaced || !isContinued(origin, config)) {
    const origins = `block ${origin.seqno} ${content.origin[1]}, the configuration trusts block ${initBlock.seqno} ${hex(initBlock.rootHash)}`;
    throw new AnchorError(`${path}: the anchor was verified from ${origins}; ${REMEDY}`);
  }
  return seqno < initBlock.seqno ? undefined : block;
}

/** Of this format. The checksum does not protect from other writers. */
function isComplete(content: Partial<AnchorContent>): content is AnchorContent {
  const { network, seqno, rootHash, fileHash, origin } = content;
  const isSeqno = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
  const isHash = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
  const areHashes = [rootHash, fileHash, network?.[0], network?.[1], origin?.[1]].every(isHash);
  return areHashes && isSeqno(seqno) && isSeqno(origin?.[0]);
}

/** Undefined if the text is not what `writeAnchor` wrote, in any format. */
function parse(text: string): Partial<AnchorContent> | undefined {
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

interface AnchorKeeper {
  /** Writes a block soon. Of several blocks, only the last one may be written. */
  keep(block: BlockId): void;
  /** Resolves when nothing is left to write. */
  settled(): Promise<void>;
}

/** Keeps the newest verified key block of a client in a file. */
export function anchorKeeper(path: string, config: TrustedConfig, onError: (error: Error) => void): AnchorKeeper {
  let next: BlockId | undefined;
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    for (let block = next; block; block = next) {
      next = undefined;
      await writeAnchor(path, config, block).catch(onError);
    }
    writing = undefined;
  };
  return {
    keep: (block) => {
      next = block;
      writing ??= write();
    },
    settled: async () => writing,
  };
}
