import type { BlockId } from "@chain-query/format/identifiers";
import { beforeEach, onTestFinished, vi } from "vitest";
import type { ReadHead } from "../../src/head/heads.ts";
import type { Need } from "../../src/servers/choice.ts";
import type { LiteEvent } from "../../src/servers/events.ts";
import { Pool, type PoolRead } from "../../src/servers/pool.ts";
import { Server, type ServerContext } from "../../src/servers/server.ts";
import type { Connection } from "../../src/wire/adnl/connect.ts";
import { LiteError } from "../../src/wire/lite-error.ts";
import { type LiteCall, queries, readQuery, writeAnswer, writeError } from "../../src/wire/tl/queries.ts";

/** The behaviour of a simulated server: milliseconds until the answer, an error code, no answer, or a wrong time. */
export interface Behaviour {
  readonly delay?: number;
  readonly code?: number;
  readonly text?: string;
  readonly isStalled?: boolean;
  readonly isFalse?: boolean;
  /** When it has the shard blocks of its newest block, as of the virtual clock: until then it refuses with 651, or waits if asked to. */
  readonly shardsAt?: number;
  /** Connections are refused. */
  readonly isDown?: boolean;
  /** Milliseconds until a connection. */
  readonly connectDelay?: number;
}

const zeroState: BlockId = block(0);
/** The honest answer to `getTime`. */
export const TIME = 1_700_000_000;

/** The last block that all chains have in common. */
const COMMON = 5;

/** A block of a chain. The first blocks are those of chain 1. */
export function block(seqno: number, chain = 1): BlockId {
  const rootHash = new Uint8Array(32).fill(chain);
  rootHash[31] = seqno;
  return { workchain: -1, shard: -(2n ** 63n), seqno, rootHash, fileHash: new Uint8Array(32).fill(2) };
}

/** The tests of a file run on the virtual clock of vitest, so that they take milliseconds for hours. */
export function useVirtualClock(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
  });
}

/** Servers without sockets, on the virtual clock, until the end of the test. */
export class SimulatedNetwork {
  readonly events: LiteEvent[] = [];
  readonly servers: Server[];
  readonly pool: Pool;
  readonly behaviours: Behaviour[];
  /** The newest block of each server. A change of one answers the calls that wait for it. */
  readonly tips: BlockId[];
  #tipChange = Promise.withResolvers<void>();
  /** Calls of `getTime` by server, as times of the virtual clock. */
  readonly calls: number[][];
  mostInFlight = 0;
  /** Ends the connection of a server. */
  readonly #ends: (() => void)[] = [];
  /** The block that all servers report as their newest, instead of their own. */
  named: BlockId | (() => BlockId) | undefined;
  infoCalls = 0;
  onBlock: ServerContext["onBlock"] = () => {};
  /** The answer to another function than those of a server itself. */
  answer: (call: LiteCall) => Uint8Array = () => writeAnswer("getTime", { now: TIME });

  constructor(
    behaviours: readonly Behaviour[],
    settings: { readonly rate?: number; readonly archival?: readonly number[] } = {},
  ) {
    const { rate = Number.POSITIVE_INFINITY, archival = [] } = settings;
    this.behaviours = [...behaviours];
    const setTip = (tips: BlockId[], index: PropertyKey, tip: BlockId): boolean => {
      const isSet = Reflect.set(tips, index, tip);
      this.#tipChange.resolve();
      this.#tipChange = Promise.withResolvers();
      return isSet;
    };
    this.tips = new Proxy(
      behaviours.map(() => block(1)),
      { set: setTip },
    );
    this.calls = behaviours.map(() => []);
    const context: ServerContext = {
      connect: async ({ port }) => {
        const { connectDelay } = this.behaviours[port] ?? {};
        if (connectDelay !== undefined) await sleep(connectDelay);
        return this.#connect(port);
      },
      zeroState,
      rate,
      attemptTimeout: 3_000,
      onEvent: (event) => this.events.push(event),
      onBlock: (server, id) => this.onBlock(server, id),
      onChange: () => this.pool.wake(),
    };
    const address = { host: "", publicKey: new Uint8Array(32), slices: [] };
    this.servers = behaviours.map((_, i) => new Server(`s${i}`, { ...address, port: i }, archival.includes(i), context));
    this.pool = new Pool(this.servers, context.onEvent, 1 << 20);
    onTestFinished(() => this.close());
  }

  timeOf: (id: BlockId) => number = ({ seqno }) => seqno;
  /** Proofs that were read, as seqnos. */
  readonly proofs: number[] = [];

  /** Proves the history of a block, if a server of its chain is ready. */
  readHead: ReadHead = async (id, ancestorSeqno, only) => {
    this.proofs.push(id.seqno);
    const [chain] = id.rootHash;
    const knows = ({ state, block: tip }: Server) =>
      state === "ready" && tip !== undefined && tip.seqno >= id.seqno && tip.rootHash[0] === chain;
    if (!(only ? [only] : this.servers).some(knows)) throw new LiteError("unavailable", `no server has block ${id.seqno}`);
    const head = { block: id, time: this.timeOf(id), endLt: 0n, stateRootHash: new Uint8Array(32) };
    if (ancestorSeqno !== undefined && ancestorSeqno >= id.seqno) throw new LiteError("proof", "it is no ancestor");
    if (ancestorSeqno === undefined) return { head, ancestor: undefined };
    return { head, ancestor: block(ancestorSeqno, ancestorSeqno <= COMMON ? 1 : chain) };
  };

  /** Reads the time through the pool, within a deadline; `salt` makes a read different from others. */
  async time(
    deadline = 10_000,
    salt = 0,
    need: Need = {},
    more: Pick<PoolRead<never, never>, "budget" | "yields" | "isImmutable" | "isOnce"> = {},
  ): Promise<number> {
    const query = queries.getTime();
    const bytes = salt === 0 ? query.bytes : queries.getBlock({ id: block(salt) }).bytes;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new LiteError("timeout", `no answer within ${deadline} ms`)), deadline);
    const check = ({ now }: { readonly now: number }) => {
      if (now !== TIME) throw new LiteError("proof", "the time is wrong");
      return now;
    };
    try {
      return await this.pool.ask({ query: { ...query, bytes }, check, need, ...more }, controller.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A server ends, until its behaviour changes. */
  end(i: number): void {
    this.behaviours[i] = { isDown: true };
    this.#ends[i]?.();
  }

  async close(): Promise<void> {
    this.pool.close();
    const closing = Promise.all(this.servers.map((server) => server.close()));
    await vi.advanceTimersByTimeAsync(10_000);
    await closing;
  }

  #connect(i: number): Connection {
    if (this.behaviours[i]?.isDown) throw new LiteError("unavailable", `connection refused at ${performance.now()}`);
    const { promise: closed, resolve } = Promise.withResolvers<Error | undefined>();
    const open = new Set<(error: Error) => void>();
    const close = (reason?: LiteError) => {
      for (const reject of open) reject(reason ?? new LiteError("unavailable", "the connection was closed"));
      resolve(reason);
    };
    this.#ends[i] = () => close(new LiteError("unavailable", "the other side closed the connection"));
    return {
      closed,
      get inFlight() {
        return open.size;
      },
      close: () => close(),
      query: async (bytes, signal) => {
        signal.throwIfAborted();
        const { promise, resolve: answer, reject } = Promise.withResolvers<Uint8Array>();
        open.add(reject);
        this.mostInFlight = Math.max(this.mostInFlight, open.size);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        void this.#answer(i, readQuery(bytes)).then((value) => value && answer(value));
        return await promise.finally(() => open.delete(reject));
      },
    };
  }

  async #answer(i: number, call: LiteCall): Promise<Uint8Array | undefined> {
    if (call.waitFor) {
      const until = performance.now() + call.waitFor.timeoutMs;
      while ((this.tips[i]?.seqno ?? 0) < call.waitFor.seqno) {
        const left = until - performance.now();
        if (left <= 0) return writeError(652, "timeout");
        await Promise.race([this.#tipChange.promise, sleep(left)]);
        // Servers do not answer at the same time.
        await sleep(10 * (i + 1));
      }
    }
    if (call.name === "getVersion") return writeAnswer("getVersion", { mode: 0, version: 1, capabilities: 0n, now: TIME });
    if (call.name === "getMasterchainInfo") {
      const stateRootHash = new Uint8Array(32);
      this.infoCalls += 1;
      const named = typeof this.named === "function" ? this.named() : this.named;
      return writeAnswer(call.name, { last: named ?? this.tips[i] ?? zeroState, stateRootHash, init: zeroState });
    }
    const { delay = 10, isStalled, code, text = "simulated", isFalse, shardsAt = 0 } = this.behaviours[i] ?? {};
    this.calls[i]?.push(performance.now());
    if (isStalled) return undefined;
    await sleep(delay);
    const wait = shardsAt - performance.now();
    const longest = call.waitFor?.timeoutMs ?? 0;
    if (wait > 0) await sleep(Math.min(wait, longest));
    const outOfSync = "block (0,8000000000000000,1) is not in db (possibly out of sync: shard_client_seqno=1 ls_seqno=2)";
    if (wait > longest) return call.waitFor ? writeError(652, "timeout") : writeError(651, outOfSync);
    if (code !== undefined) return writeError(code, text);
    return isFalse ? writeAnswer("getTime", { now: 1 }) : this.answer(call);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Runs something on the virtual clock until it ends, or for an hour. */
export async function elapse<Result>(promise: Promise<Result>): Promise<Result> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  promise.then(end, end);
  for (let i = 0; i < 36_000 && !isOver; i++) await vi.advanceTimersByTimeAsync(100);
  return await promise;
}
