/** Bounds what connections cost: their number, by address and in all, and the bytes that wait: responses that their clients do not read, and requests behind them. */
import { BlockList, isIPv6, type Socket } from "node:net";
import { totalmem } from "node:os";
import { clientOf } from "../limits/client-address.ts";
import type { ConnectionLimit } from "../observability/metrics.ts";

/** Limits of the connections of one process. */
export interface ConnectionLimits {
  readonly all: number;
  /** Of one address, or of one /64 network of IPv6 addresses. */
  readonly address: number;
  /** Bytes that wait on all connections. */
  readonly unread: number;
  /** Milliseconds between two sums of the unread bytes. */
  readonly interval: number;
}

const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/** The bytes that may wait: a 16th of the memory of the machine or container, 128 MiB at most. */
export function unreadLimit(bytes: number = memory): number {
  return Math.min(2 ** 27, Math.floor(bytes / 16));
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #proxies = new BlockList();
  readonly #onClosed: (limit: ConnectionLimit) => void;
  readonly #open = new Set<Socket>();
  readonly #byAddress = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param proxies - Addresses and networks whose connections are of many callers. */
  constructor(limits: ConnectionLimits, proxies: readonly string[], onClosed: (limit: ConnectionLimit) => void) {
    this.#limits = limits;
    this.#onClosed = onClosed;
    for (const proxy of proxies) {
      const [address = "", prefix] = proxy.split("/");
      const family = isIPv6(address) ? "ipv6" : "ipv4";
      if (prefix === undefined) this.#proxies.addAddress(address, family);
      else this.#proxies.addSubnet(address, Number(prefix), family);
    }
  }

  /** Adds a new connection, or closes it and returns false if there are too many. */
  add(socket: Socket): boolean {
    const address = socket.remoteAddress ?? "";
    const isProxy = this.#proxies.check(address, isIPv6(address) ? "ipv6" : "ipv4");
    const client = isProxy ? undefined : clientOf(address);
    const ofClient = client === undefined ? 0 : (this.#byAddress.get(client) ?? 0);
    if (this.#open.size >= this.#limits.all) return this.#refuse(socket, "all");
    if (ofClient >= this.#limits.address) return this.#refuse(socket, "address");
    this.#open.add(socket);
    if (client !== undefined) this.#byAddress.set(client, ofClient + 1);
    socket.once("close", () => this.#remove(socket, client));
    this.#timer ??= setTimeout(this.#closeUnread, this.#limits.interval).unref();
    return true;
  }

  #refuse(socket: Socket, limit: ConnectionLimit): false {
    socket.destroy();
    this.#onClosed(limit);
    return false;
  }

  #remove(socket: Socket, client: string | undefined): void {
    this.#open.delete(socket);
    if (client === undefined) return;
    const left = (this.#byAddress.get(client) ?? 1) - 1;
    if (left > 0) this.#byAddress.set(client, left);
    else this.#byAddress.delete(client);
  }

  /** Closes the connections with the most bytes that wait until the others are within the limit. */
  readonly #closeUnread = (): void => {
    const waiting = [...this.#open].filter((socket) => waitingBytes(socket) > 0);
    let bytes = waiting.reduce((sum, socket) => sum + waitingBytes(socket), 0);
    if (bytes > this.#limits.unread) {
      for (const socket of waiting.toSorted((one, other) => waitingBytes(other) - waitingBytes(one))) {
        bytes -= waitingBytes(socket);
        socket.destroy();
        this.#onClosed("unread");
        if (bytes <= this.#limits.unread) break;
      }
    }
    this.#timer = this.#open.size > 0 ? setTimeout(this.#closeUnread, this.#limits.interval).unref() : undefined;
  };
}

function waitingBytes({ writableLength, readableLength }: Socket): number {
  return writableLength + readableLength;
}
