/** Binds the server to its port and host; its errors name the process that holds the port. */

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";

/**
 * Thrown if a server cannot listen on its port and host. The message is one line: the problem, the process that holds the port if
 * known, and how to choose another. `code` is the system's error code, such as `EADDRINUSE`.
 */
export class ListenError extends Error {
  /** The command prints the message without a stack. */
  readonly isUserError = true;
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

/** State of a listening socket in /proc/net/tcp. */
const listening = "0A";

/**
 * Names the process that listens on a port, such as `node server.js (process 4711)`. Undefined if that is not
 * certain: not on Linux, if the process belongs to another user, or if several processes listen on different addresses.
 */
function portOwner(port: number): string | undefined {
  const sockets = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => findListeners(readText(table), port));
  const owners = new Set(findProcesses(sockets));
  const [owner, ...others] = owners;
  return owner === undefined || others.length > 0 ? undefined : `${commandLine(owner)} (process ${owner})`;
}

/** The inodes of the sockets that listen on a port, from the text of /proc/net/tcp. */
export function findListeners(table: string, port: number): string[] {
  const portSuffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table.split("\n").flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    return local?.endsWith(portSuffix) && state === listening && inode !== undefined ? [inode] : [];
  });
}

/** The first process that holds each socket; the parent, if children share it. */
function findProcesses(sockets: string[]): (string | undefined)[] {
  const holders = new Map<string, string>();
  const wanted = new Set(sockets.map((inode) => `socket:[${inode}]`));
  const processes = readEntries("/proc").filter((name) => /^\d+$/.test(name));
  for (const id of wanted.size === 0 ? [] : processes.sort((a, b) => Number(a) - Number(b))) {
    for (const descriptor of readEntries(`/proc/${id}/fd`)) {
      const target = readLink(`/proc/${id}/fd/${descriptor}`);
      if (wanted.has(target) && !holders.has(target)) holders.set(target, id);
    }
  }
  return [...wanted].map((socket) => holders.get(socket));
}

/** The program and the file that it runs. Further arguments are left out, since they may contain secrets. */
function commandLine(id: string): string {
  const [program = "", file = ""] = readText(`/proc/${id}/cmdline`).split("\0");
  const name = basename(program) || readText(`/proc/${id}/comm`).trim();
  return file === "" || file.startsWith("-") ? name : `${name} ${file}`;
}

// These return an empty result on errors: a process may end during the search, or belong to another user.

function readText(path: string): string {
  return orElse(() => readFileSync(path, "utf8"), "");
}

function readEntries(path: string): string[] {
  return orElse(() => readdirSync(path), []);
}

function readLink(path: string): string {
  return orElse(() => readlinkSync(path), "");
}

function orElse<Value>(read: () => Value, fallback: Value): Value {
  try {
    return read();
  } catch {
    return fallback;
  }
}
