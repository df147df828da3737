/** Ports for servers that tests start. Each process takes them from a range of its own. */
import { createServer, type Server } from "node:net";

/** Below the ports that systems give to outgoing connections: from 32768 on Linux, from 49152 elsewhere. */
const FIRST = 20_000;
const END = 30_000;
const SIZE = 200;

/** The first port of this process's range. */
let range: Promise<number> | undefined;
let previous = 0;

/**
 * A free port that no other process takes, so that a killed server finds it free. This process returns it again after all others of its
 * range.
 */
export async function freePort(): Promise<number> {
  range ??= claimRange();
  const first = await range;
  for (let tries = 1; tries < SIZE; tries++) {
    previous = (previous % (SIZE - 1)) + 1;
    const port = first + previous;
    const server = await listen(port);
    if (server === undefined) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  throw new Error(`no port from ${first + 1} to ${first + SIZE - 1} is free`);
}

/** Listens on the first port of a range as long as the process runs: another process that finds it in use tries the next range. */
async function claimRange(): Promise<number> {
  for (let first = FIRST; first < END; first += SIZE) {
    const server = await listen(first);
    if (server === undefined) continue;
    server.unref();
    return first;
  }
  throw new Error(`no range of ${SIZE} ports from ${FIRST} to ${END - 1} is free`);
}

/** Undefined if the port is in use. */
function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
