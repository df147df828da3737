/** Time from starting the command to its first answer, on an existing chain, while blocks are produced. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { median } from "./measure.ts";

const rounds = 7;
/** Seconds. */
const goal = 1.5;
const program = fileURLToPath(new URL("bin/chain-query-server.js", import.meta.resolve("@chain-query/server/package.json")));

/** Prints the median, the shortest and the longest time. */
export async function benchStart(chain: string): Promise<void> {
  const all: number[] = [];
  for (let index = 0; index < rounds; index++) all.push(await secondsToAnswer(chain));
  const [middle, least, most] = [median(all), Math.min(...all), Math.max(...all)].map((value) => value.toFixed(2));
  console.log(
    `start to first answer, ${rounds} times: median ${middle} s, least ${least} s, most ${most} s   goal ≤ ${goal} s\n`,
  );
}

async function secondsToAnswer(chain: string): Promise<number> {
  const start = performance.now();
  const flags = ["--port", "0", "--chain", chain, "--keyless-rate", "0", "--log-level", "error"];
  const command = spawn(process.execPath, [program, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(command.stdout, "data");
  const response = await fetch(`${String(line).trim()}/api/v2/getMasterchainInfo`);
  await response.text();
  const seconds = (performance.now() - start) / 1000;
  command.kill();
  await once(command, "close");
  return seconds;
}
