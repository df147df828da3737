/** `pnpm plan`: how many machines a load needs, on paper. */
import { readFileSync } from "node:fs";
import { type Flag, list, number, type ValueType } from "@chain-query/command-line";
import { runCommand } from "../workspace/command-line.ts";
import { type InputName, inputs, type Load, loads, writes } from "./inputs.ts";
import { capacityTable, diskTable, inputTable, readTable, writeTable } from "./tables.ts";

const load: ValueType<Load> = {
  placeholder: "",
  accepted: "",
  parse: (text) => {
    const [, requests, hitRate] = /^(\d{1,9}):(0(?:\.\d+)?|1)$/.exec(text) ?? [];
    return requests === undefined ? undefined : { requests: Number(requests), hitRate: Number(hitRate) };
  },
};
const shares = new Set<string>(["coldShare", "workerShare", "postgresShare", "redisShare"] satisfies InputName[]);

type InputFlag = Flag & { readonly type: ValueType<number>; readonly default: string };

const inputFlags = Object.fromEntries(
  Object.entries(inputs).map(([name, { value, help }]) => [
    name,
    { type: shares.has(name) ? number(0.01, 1) : number(0.01, 1e9), default: String(value), help },
  ]),
) as Readonly<Record<InputName, InputFlag>>;

const commands = {
  "": {
    summary: "calculates how many machines a load needs, from measured costs",
    readConfig: (file: string): unknown => JSON.parse(readFileSync(file, "utf8")),
    flags: {
      loads: {
        type: list("<list>", load, "requests per second with a hit rate, such as 10000:0.5,100000:0.7"),
        help: "requests per second with the share that caches answer",
      },
      writes: { type: list("<list>", number(0.01, 1e9), "numbers separated by commas"), help: "transactions per second" },
      ...inputFlags,
    },
  },
} as const;

await runCommand("plan", commands, async ({ command: _, loads: reads = loads, writes: written = writes, ...costs }) => {
  const hitRates = [...new Set(reads.map(({ hitRate }) => hitRate))];
  console.log("Requests\n");
  console.log(`${readTable(costs, reads)}\n`);
  console.log("Disk reads of pages that are in no memory\n");
  console.log(`${diskTable(costs, reads)}\n`);
  console.log("Transactions written\n");
  console.log(`${writeTable(costs, written)}\n`);
  console.log("Requests per second that one of each carries\n");
  console.log(`${capacityTable(costs, hitRates)}\n`);
  console.log("Inputs\n");
  console.log(inputTable(costs));
  return 0;
});
