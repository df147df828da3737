/** Binds the server to its port and host, and explains why it cannot. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { portOwner } from "./port-owner.ts";

/**
 * Thrown if a server cannot listen on its port and host. The message is one line: what is wrong, which process holds the port if that
 * is known, and how to choose another. `code` is the system's error code, such as `EADDRINUSE`.
 *
 * @example
 * ```ts
 * server.once("error", ({ code }) => console.error(new ListenError(code, 4010, "127.0.0.1").message));
 * // port 4010 on 127.0.0.1 is taken by node server.js (process 4711); choose another with --port, …
 * ```
 */
export class ListenError extends Error {
  readonly code: string;
  readonly port: number;
  readonly host: string;

  constructor(code: string, port: number, host: string, options?: ErrorOptions) {
    super(explanation(code, port, host), options);
    this.name = "ListenError";
    this.code = code;
    this.port = port;
    this.host = host;
  }
}

const hostProblems: Record<string, string> = {
  EADDRNOTAVAIL: "is not an address of this machine",
  EAI_AGAIN: "cannot be looked up now",
  EINVAL: "is not an address",
  ENOTFOUND: "is not known",
};

function explanation(code: string, port: number, host: string): string {
  if (code === "EADDRINUSE" || code === "EACCES") {
    const owner = code === "EADDRINUSE" ? portOwner(port) : undefined;
    const problem = code === "EADDRINUSE" ? "is taken" : "is not open to this user";
    const holder = owner === undefined ? "" : ` by ${owner}`;
    return `port ${port} on ${host} ${problem}${holder}; choose another with --port, or --port 0 for any free one`;
  }
  const problem = hostProblems[code] ?? `cannot be listened on (${code})`;
  return `host ${JSON.stringify(host)} ${problem}; choose another with --host, such as 127.0.0.1`;
}

/** Binds a server and returns its base URL. */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  // node:net would listen on all interfaces.
  if (host === "") throw new ListenError("EINVAL", port, host);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new ListenError(error.code ?? "", port, host, { cause: error })),
    );
    server.listen(port, host, resolve);
  });
  return urlOf(server.address() as AddressInfo);
}

/** Clients of some systems cannot connect to wildcard addresses. */
const loopback: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

function urlOf({ address, port }: AddressInfo): string {
  const host = loopback[address] ?? address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
