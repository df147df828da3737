import { once } from "node:events";
import { join } from "node:path";
import { CommandLineError, listenForInterrupt, type Terminal } from "@chain-query/command-line";
import { formatGlobalConfig, type LiteServer, startLiteServer } from "@chain-query/lite-server";
import type { ChainReader } from "../domain.ts";
import { liteChain, openChain } from "../reading/chain-reader.ts";
import type { ServeCommand } from "./arguments.ts";
import { errorCode, readKeyFile, writeConfigFile } from "./serve-files.ts";

/** The file of the server's key in the folder of its chain. */
const KEY_FILE = "lite-server.key";

/** Runs a lite server over a chain until a signal. */
export async function serve(command: ServeCommand, { stdout, stderr }: Terminal): Promise<number> {
  const { directory, keyFile = join(directory, KEY_FILE), configFile } = command;
  const chain = openChain(directory);
  const interrupt = listenForInterrupt();
  let server: LiteServer | undefined;
  try {
    const key = readKeyFile(keyFile);
    server = await start(chain, key, command, stderr);
    const config = formatGlobalConfig(server.config());
    if (configFile === undefined) stdout.write(config);
    else writeConfigFile(configFile, config);
    const { seqno } = chain.head().block.id;
    stderr.write(`${directory}: lite server at ${server.host}:${server.port}, masterchain block ${seqno}, until Ctrl-C\n`);
    if (!interrupt.signal.aborted) await once(interrupt.signal, "abort");
  } finally {
    await server?.close();
    await chain.close();
    interrupt.release();
  }
  return 0;
}

async function start(chain: ChainReader, key: Uint8Array, { host, port }: ServeCommand, stderr: Terminal["stderr"]) {
  const onError = (error: unknown): void => {
    stderr.write(`a query failed: ${error instanceof Error ? error.message : String(error)}\n`);
  };
  try {
    return await startLiteServer({ chain: liteChain(chain), key, host, port, onError });
  } catch (cause) {
    throw new CommandLineError([listenError(cause, host, port)]);
  }
}

function listenError(cause: unknown, host: string, port: number): string {
  const code = errorCode(cause);
  if (code === "EADDRINUSE") return `--port: ${port} of ${host} is in use; expected a free port`;
  if (code === "EACCES") return `--port: ${port} is not allowed for this user; expected a port from 1024 to 65535`;
  if (code === "EADDRNOTAVAIL") return `--host: ${host} is not an address of this machine`;
  throw cause;
}
