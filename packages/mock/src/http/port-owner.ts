/** Finds the process that listens on a port, for the error message of a port in use. Reads Linux' /proc. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** State of a listening socket in /proc/net/tcp. */
const listening = "0A";

/**
 * Names the process that listens on a port, such as `node server.js (process 4711)`. Undefined if that is not
 * certain: not on Linux, if the process belongs to another user, or if several processes listen on different addresses.
 */
export function portOwner(port: number): string | undefined {
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
