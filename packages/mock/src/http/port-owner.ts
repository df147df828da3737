import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

const listening = "0A";

/**
 * Names the process that listens on a port, such as `node server.js (process 4711)`. Undefined if that is not
 * certain: not on Linux, if the process belongs to another user, or if several processes listen on different addresses.
 */
export function portOwner(port: number): string | undefined {
  const sockets = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => listenersIn(textOf(table), port));
  const owners = new Set(processesOf(sockets));
  const [owner, ...others] = owners;
  return owner === undefined || others.length > 0 ? undefined : `${commandOf(owner)} (process ${owner})`;
}

/** The inodes of the sockets that listen on a port, from the text of /proc/net/tcp. */
export function listenersIn(table: string, port: number): string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table.split("\n").flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    return local?.endsWith(end) && state === listening && inode !== undefined ? [inode] : [];
  });
}

/** The first process that holds each socket; the parent, if children share it. */
function processesOf(sockets: string[]): (string | undefined)[] {
  const holders = new Map<string, string>();
  const wanted = new Set(sockets.map((inode) => `socket:[${inode}]`));
  const processes = entriesOf("/proc").filter((name) => /^\d+$/.test(name));
  for (const id of wanted.size === 0 ? [] : processes.sort((a, b) => Number(a) - Number(b))) {
    for (const descriptor of entriesOf(`/proc/${id}/fd`)) {
      const target = targetOf(`/proc/${id}/fd/${descriptor}`);
      if (wanted.has(target) && !holders.has(target)) holders.set(target, id);
    }
  }
  return [...wanted].map((socket) => holders.get(socket));
}

/** The program and the file that it runs. Further arguments may be secret. */
function commandOf(id: string): string {
  const [program = "", file = ""] = textOf(`/proc/${id}/cmdline`).split("\0");
  const name = basename(program) || textOf(`/proc/${id}/comm`).trim();
  return file === "" || file.startsWith("-") ? name : `${name} ${file}`;
}

// A process may end during the search, or belong to another user. Its files are then skipped.

function textOf(path: string): string {
  return orElse(() => readFileSync(path, "utf8"), "");
}

function entriesOf(path: string): string[] {
  return orElse(() => readdirSync(path), []);
}

function targetOf(path: string): string {
  return orElse(() => readlinkSync(path), "");
}

function orElse<Value>(read: () => Value, fallback: Value): Value {
  try {
    return read();
  } catch {
    return fallback;
  }
}
