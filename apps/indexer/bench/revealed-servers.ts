/** Lite servers that reveal the steps of a made chain one after another, as if the network made them at this time. */
import { formatGlobalConfig, type LiteChain, type LiteServer } from "@chain-query/lite-server";
import { type BehavingCall, startFaultyLiteServer } from "@chain-query/lite-server/testing";

/** Returns a function that returns the newest visible step: one more after each interval. */
export function revealSteps({ from, to, interval }: Record<"from" | "to" | "interval", number>): () => number {
  const start = performance.now();
  return () => Math.min(to, from + Math.floor((performance.now() - start) / interval));
}

/** Servers of one chain. */
export interface RevealedServers extends AsyncDisposable {
  /** The text of a configuration with all servers. */
  readonly config: string;
  /** The number of queries until now, by function. */
  received(): ReadonlyMap<string, number>;
}

/** Starts servers that have the steps up to the newest visible one. */
export async function startRevealedServers(
  chain: LiteChain,
  newestStep: () => number,
  count: number,
): Promise<RevealedServers> {
  const queries = new Map<string, number>();
  const answer = ({ call }: BehavingCall, next: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    queries.set(call.name, (queries.get(call.name) ?? 0) + 1);
    return next();
  };
  const last = chain.head();
  const head = () => chain.findBlock(last, { seqno: newestStep() }) ?? last;
  const start = (index: number): Promise<LiteServer> =>
    startFaultyLiteServer({ chain: { ...chain, head }, key: new Uint8Array(32).fill(index), behaviours: [{ answer }] });
  const servers = await Promise.all(Array.from({ length: count }, (_, index) => start(index)));
  const configs = servers.map((server) => server.config());
  const [first] = configs;
  if (!first) throw new RangeError(`count must be at least 1, got ${count}`);
  return {
    config: formatGlobalConfig({ ...first, liteservers: configs.flatMap(({ liteservers }) => liteservers) }),
    received: () => new Map(queries),
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
