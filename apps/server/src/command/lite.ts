import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandLineError, listenForInterrupt, type Terminal } from "@chain-query/command-line";
import { formatGlobalConfig, type LiteServer, liteChain, type SigningChain, startLiteServer } from "@chain-query/lite/answers";
import { openChain } from "@chain-query/local-chain/reader";
import { messageOf } from "../failure.ts";
import { listenError } from "../processes/listen.ts";
import type { LiteCommand } from "./arguments.ts";

/** The file of the server's key in the folder of its chain. */
const KEY_FILE = "lite-server.key";

/** Runs a lite server over a chain until a signal. */
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
    else writeConfigFile(configFile, config);
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
const OWN_NEW_FILE = { mode: 0o600, flag: "wx" } as const;
/** Errors of `link` on a file system without hard links, such as exFAT. */
const NO_LINKS: readonly (string | undefined)[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * Reads the seed of an Ed25519 key from a file, in base64. Makes the file if it does not exist, readable only by its owner.
 *
 * @throws CommandLineError if the file cannot be read or written, or does not hold a key.
 */
export function readKeyFile(file: string): Uint8Array {
  const text = readIfExists(file) ?? makeKeyFile(file);
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== KEY_BYTES || key.toString("base64") !== text.trim()) {
    throw new CommandLineError([`--key-file ${file}: must hold ${KEY_BYTES} bytes in base64, got ${describe(text)}`]);
  }
  return key;
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return undefined;
    throw fileError("--key-file", file, cause);
  }
}

/** If two processes make the file at the same time, the first one that links a complete file wins, and both read it. */
function makeKeyFile(file: string): string {
  const unfinished = `${file}.${process.pid}`;
  const text = `${randomBytes(KEY_BYTES).toString("base64")}\n`;
  try {
    writeFileSync(unfinished, text, OWN_NEW_FILE);
    try {
      linkOrWrite(unfinished, file, text);
    } catch (cause) {
      if (errorCode(cause) !== "EEXIST") throw cause;
    } finally {
      rmSync(unfinished);
    }
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw fileError("--key-file", file, cause);
  }
}

function linkOrWrite(unfinished: string, file: string, text: string): void {
  try {
    linkSync(unfinished, file);
  } catch (cause) {
    if (!NO_LINKS.includes(errorCode(cause))) throw cause;
    writeFileSync(file, text, OWN_NEW_FILE);
  }
}

/** @throws CommandLineError if the file cannot be written. */
function writeConfigFile(file: string, config: string): void {
  try {
    writeFileSync(file, config);
  } catch (cause) {
    throw fileError("--config-file", file, cause);
  }
}

/** Shows no content of the file: it may be another key. */
function describe(text: string): string {
  return text.trim() === "" ? "an empty file" : `${text.trim().length} characters`;
}

/** The error of a file of an option. */
function fileError(option: string, file: string, cause: unknown): CommandLineError {
  return new CommandLineError([`${option} ${file}: ${messageOf(cause)}`]);
}

/** The code of a system error, such as "ENOENT"; undefined for other errors. */
function errorCode(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
}
