import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandLineError, listenForInterrupt, type Terminal } from "@chain-query/command-line";
import { formatGlobalConfig, type LiteServer, liteChain, type SigningChain, startLiteServer } from "@chain-query/lite/answers";
import { openChain } from "@chain-query/local-chain/reader";
import { messageOf } from "../failure.ts";
import { listenError } from "../processes/listen.ts";
import type { LiteCommand } from "./arguments.ts";

/** The file of the server's key in the folder of its chain. */
const KEY_FILE = "lite-server.key";

export async function serveLite(command: LiteCommand, { stdout, stderr }: Terminal): Promise<number> {
  const { folder, keyFile = join(folder, KEY_FILE), configFile } = command;
  const chain = openChain(folder);
  const interrupt = listenForInterrupt();
  let server: LiteServer | undefined;
  try {
    const key = readKeyFile(keyFile);
    server = await start(chain, key, command, stderr);
    const config = formatGlobalConfig(server.config());
    if (configFile === undefined) stdout.write(config);
    else withReason("--config-file", configFile, () => writeFileSync(configFile, config));
    const { seqno } = chain.head().block.id;
    stderr.write(`${folder}: lite server at ${server.host}:${server.port}, masterchain block ${seqno}, until Ctrl-C\n`);
    if (!interrupt.signal.aborted) await once(interrupt.signal, "abort");
  } finally {
    await server?.close();
    await chain.close();
    interrupt.release();
  }
  return 0;
}

async function start(chain: SigningChain, key: Uint8Array, { host, port }: LiteCommand, stderr: Terminal["stderr"]) {
  const onError = (error: unknown): void => {
    stderr.write(`a query failed: ${messageOf(error)}\n`);
  };
  try {
    return await startLiteServer({ chain: liteChain(chain), key, host, port, onError });
  } catch (cause) {
    throw listenError(cause, { host, port });
  }
}

const KEY_BYTES = 32;

/**
 * Reads the seed of an Ed25519 key from a file, in base64. Makes the file if it does not exist, readable only by its owner.
 *
 * @throws CommandLineError if the file cannot be read or written, or does not hold a key.
 */
export function readKeyFile(file: string): Uint8Array {
  const text = withReason("--key-file", file, () => {
    const seed = randomBytes(KEY_BYTES).toString("base64");
    if (!existsSync(file)) writeFileSync(file, `${seed}\n`, { mode: 0o600, flag: "wx" });
    return readFileSync(file, "utf8").trim();
  });
  const key = Buffer.from(text, "base64");
  if (key.length === KEY_BYTES && key.toString("base64") === text) return key;
  // Shows no content of the file: it may be another key.
  const got = text === "" ? "an empty file" : `${text.length} characters`;
  throw new CommandLineError([`--key-file ${file}: must hold ${KEY_BYTES} bytes in base64, got ${got}`]);
}

/** Runs what reads or writes the file of an option. */
function withReason<Result>(option: string, file: string, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    throw new CommandLineError([`${option} ${file}: ${messageOf(cause)}`]);
  }
}
