/** Sends malformed frames to a server and to clients, the same ones for the same seed. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { fuzzClients } from "./clients.ts";
import { Tally } from "./malformed.ts";
import { fuzzServer } from "./server.ts";

/** How many frames to send. */
interface FramePlan {
  readonly seed: number;
  /** Half of them go to a server, half to clients. */
  readonly count: number;
}

/** The result. */
interface FrameReport {
  readonly sent: number;
  /** Outcomes by name, such as "closed". */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Unexpected results. */
  readonly faults: readonly string[];
  /** Growth of the memory in use in bytes, after the first tenth of the frames. */
  readonly usedGrowth: number;
}

/** Sends the frames over connections of this machine. */
export async function fuzzFrames({ seed, count }: FramePlan): Promise<FrameReport> {
  const tally = new Tally();
  const onUncaught = (error: unknown) => tally.fault(`uncaught: ${String(error)}`);
  for (const event of ["uncaughtException", "unhandledRejection"] as const) process.on(event, onUncaught);
  const send = async (frames: number, part: number) => {
    await fuzzServer(Math.floor(frames / 2), seed + part, tally);
    await fuzzClients(Math.ceil(frames / 2), seed + part, tally);
    return usedBytes();
  };
  try {
    const first = Math.floor(count / 10);
    const before = await send(first, 0);
    const after = await send(count - first, 1);
    return { sent: count, outcomes: tally.outcomes, faults: tally.faults, usedGrowth: after - before };
  } finally {
    for (const event of ["uncaughtException", "unhandledRejection"] as const) process.off(event, onUncaught);
  }
}

function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
