/** Disturbs a service at random times: kills processes, opens slow connections, adds and revokes keys. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Request, send } from "../../fuzz/requests.ts";
import { type Abuse, dripping, notReading } from "../fixtures/abusive-clients.ts";
import type { ServiceCommand } from "./service-command.ts";
import { randomFrom, type Traffic } from "./traffic.ts";

/** Options of the disturbances. */
interface DisturbanceSetting {
  readonly service: ServiceCommand;
  readonly traffic: Traffic;
  readonly requests: readonly Request[];
  readonly seed: number;
  /** Milliseconds from one disturbance to the next, at most. */
  readonly maxPause: number;
  /** Milliseconds of slow connections. */
  readonly slowFor: number;
}

/** Disturbances in progress. */
export interface Disturbances {
  readonly count: () => number;
  readonly counts: () => Readonly<Record<string, number>>;
  /** Waits for the current disturbance. */
  stop(): Promise<void>;
}

const slowConnections = 20;
const info: Request = { method: "GET", path: "/api/v2/getMasterchainInfo" };

/** Starts the disturbances. The same seed gives the same sequence. */
export function createDisturbances({ service, traffic, requests, seed, maxPause, slowFor }: DisturbanceSetting): Disturbances {
  const random = randomFrom(seed);
  const port = Number(new URL(service.url).port);
  const pages = requests.filter(({ path }) => path.includes("getTransactionsStd"));
  const stop = new AbortController();

  const endWorker = (signal: NodeJS.Signals) => async (): Promise<void> => {
    const share = random();
    // One worker must remain for new connections.
    await service.complete();
    const workers = service.workers();
    traffic.expectCuts();
    const victim = workers[Math.floor(share * workers.length)] ?? 0;
    process.kill(victim, signal);
    // A draining worker must not count as available.
    while (service.workers().includes(victim)) await sleep(50);
    // Callers may notice only now.
    traffic.expectCuts();
  };
  const slow = async (start: () => Promise<Abuse>): Promise<void> => {
    using _clients = await start();
    await sleep(slowFor);
  };
  const expectStatus = async (key: string, expected: number): Promise<void> => {
    const { status } = await send(service.url, info, { headers: { "x-api-key": key } });
    if (status !== expected) traffic.fault(`a key was answered ${status} instead of ${expected}`);
  };

  const kinds: Readonly<Record<string, () => Promise<void>>> = {
    "killed workers": endWorker("SIGKILL"),
    "reloaded workers": endWorker("SIGTERM"),
    "killed producers": async () => {
      const pid = service.producer();
      if (pid !== undefined) process.kill(pid, "SIGKILL");
    },
    "slow readers": () => slow(() => notReading(pages.map(({ path }) => path))(port, slowConnections)),
    "slow senders": () => slow(() => dripping(port, slowConnections)),
    "key changes": async () => {
      const key = (await service.keys("add", "soak", "--rate", "0")).trim();
      await expectStatus(key, 200);
      await service.keys("revoke", key.slice("cq_".length, "cq_".length + 12));
      await expectStatus(key, 401);
    },
  };
  const names = Object.keys(kinds);
  const counts: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));

  /** The kinds of the current pass, in random order: each pass has every kind once. */
  const left: string[] = [];
  const next = (): string => {
    if (left.length === 0) left.push(...names);
    return left.splice(Math.floor(random() * left.length), 1)[0] ?? "";
  };

  const run = async (): Promise<void> => {
    for (;;) {
      await sleep(random() * maxPause, undefined, { signal: stop.signal }).catch(() => {});
      if (stop.signal.aborted) return;
      const name = next();
      try {
        await kinds[name]?.();
        counts[name] = (counts[name] ?? 0) + 1;
      } catch (error) {
        traffic.fault(`${name}: ${error}`);
      }
    }
  };
  const done = run();
  return {
    count: () => Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts: () => counts,
    async stop() {
      stop.abort();
      await done;
    },
  };
}
