/** Queries per second of this client and of ton-lite-client, alternately, from one server. Each has a process of its own. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

const ROUNDS = 5;
const ROUND_MS = 1500;
const WARM_UP_MS = 300;
const goals = { "184 B": 4, "5.5 kB": 6, "45 kB": 10 };

/** Prints queries per second; always returns true. */
export async function benchThroughput(): Promise<boolean> {
  const server = fork(new URL("server-process.ts", import.meta.url));
  const [{ port, publicKey }] = await once(server, "message");
  const [ours, theirs] = await Promise.all(["ours", "theirs"].map((who) => startClient(who, port, publicKey)));
  if (ours === undefined || theirs === undefined) throw new Error("two clients must start");

  console.log(
    "64 in flight       queries per second: ours, ton-lite-client, ratio   µs of a core: ours, ton-lite-client, ratio",
  );
  for (const [size, goal] of Object.entries(goals)) {
    for (const client of [ours, theirs]) await rate(client, size, WARM_UP_MS);
    const rounds: { ours: Rate; theirs: Rate }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ ours: await rate(ours, size, ROUND_MS), theirs: await rate(theirs, size, ROUND_MS) });
    }
    const figures = [
      median(rounds.map((round) => round.ours.perSecond))
        .toFixed(0)
        .padStart(24),
      median(rounds.map((round) => round.theirs.perSecond))
        .toFixed(0)
        .padStart(17),
      median(rounds.map((round) => round.ours.perSecond / round.theirs.perSecond))
        .toFixed(1)
        .padStart(7),
      median(rounds.map((round) => round.ours.cpu))
        .toFixed(0)
        .padStart(21),
      median(rounds.map((round) => round.theirs.cpu))
        .toFixed(0)
        .padStart(17),
      median(rounds.map((round) => round.theirs.cpu / round.ours.cpu))
        .toFixed(1)
        .padStart(7),
    ];
    console.log(`${`answers of ${size}`.padEnd(19)}${figures.join("")}   goal ≥ ${goal}`);
  }
  for (const child of [ours, theirs, server]) child.disconnect();
  return true;
}

async function startClient(who: string, port: number, publicKey: string): Promise<ChildProcess> {
  const client = fork(new URL("client-process.ts", import.meta.url), [who, String(port), publicKey]);
  await once(client, "message");
  return client;
}

interface Rate {
  readonly perSecond: number;
  readonly cpu: number;
}

async function rate(client: ChildProcess, size: string, milliseconds: number): Promise<Rate> {
  client.send([size, milliseconds]);
  const [answered] = await once(client, "message");
  return answered;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
