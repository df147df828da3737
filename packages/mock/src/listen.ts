import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { portOwner } from "./port-owner.ts";

/**
 * Thrown where a server cannot listen where it was told to. The message is one line for the person who chose the place: what is
 * wrong, who holds the port where that can be known, and how to choose another. `code` is the system's, such as `EADDRINUSE`.
 * A program that listens by itself makes one for the same message.
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

const hostTroubles: Record<string, string> = {
  EADDRNOTAVAIL: "is not an address of this machine",
  EAI_AGAIN: "cannot be looked up at the moment",
  EINVAL: "is not an address",
  ENOTFOUND: "is not known",
};

function explanation(code: string, port: number, host: string): string {
  if (code === "EADDRINUSE" || code === "EACCES") {
    const owner = code === "EADDRINUSE" ? portOwner(port) : undefined;
    const trouble = code === "EADDRINUSE" ? "is taken" : "is not open to this user";
    const who = owner === undefined ? "" : ` by ${owner}`;
    return `port ${port} on ${host} ${trouble}${who}; choose another with --port, or --port 0 for any free one`;
  }
  const trouble = hostTroubles[code] ?? `cannot be listened on (${code})`;
  return `host ${JSON.stringify(host)} ${trouble}; choose another with --host, such as 127.0.0.1`;
}

/** Binds a server and tells the base URL under which it can be reached. */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  // To node:net an empty host means every interface, which nobody who wrote it had in mind.
  if (host === "") throw new ListenError("EINVAL", port, host);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new ListenError(error.code ?? "", port, host, { cause: error })),
    );
    server.listen(port, host, resolve);
  });
  return urlOf(server.address() as AddressInfo);
}

/** The wildcard addresses can be bound but, on some systems, not called. */
const callable: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

function urlOf({ address, port }: AddressInfo): string {
  const host = callable[address] ?? address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
