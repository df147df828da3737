/** Prints the plan as Markdown tables, as the formatter writes them. */
import { type Inputs, inputs as known, type Load } from "./inputs.ts";
import { capacityOf, planReads, planWrites } from "./plan.ts";

/** An aligned table. Columns of numbers, by default all but the first, are aligned at the right. */
function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  isNumber = (column: number) => column > 0,
): string {
  const widths = head.map((title, column) => Math.max(3, title.length, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[], fill: (cell: string, width: number, column: number) => string) =>
    `| ${cells.map((cell, column) => fill(cell, widths[column] ?? 0, column)).join(" | ")} |`;
  const aligned = (cell: string, width: number, column: number) =>
    isNumber(column) ? cell.padStart(width) : cell.padEnd(width);
  const rule = (_: string, width: number, column: number) =>
    isNumber(column) ? `${"-".repeat(width - 1)}:` : "-".repeat(width);
  return [line(head, aligned), line(head, rule), ...rows.map((row) => line(row, aligned))].join("\n");
}

/** Two or three digits, such as 0.48, 14 or 16,500. */
function short(value: number): string {
  const digits = new Intl.NumberFormat("en-US", { maximumSignificantDigits: value < 1000 ? 2 : 3 });
  return digits.format(value);
}

const percent = (share: number): string => `${short(share * 100)} %`;

export function readTable(inputs: Inputs, loads: readonly Load[]): string {
  const head = ["requests/s", "hit rate", "Node cores", "instances", "PG cores", "PG readers", "Redis", "Gbit/s"];
  const rows = loads.map((load) => {
    const plan = planReads(inputs, load);
    const servers = [short(plan.nodeCores), plan.instances, short(plan.postgresCores), plan.readers, plan.redisServers];
    return [whole(load.requests), percent(load.hitRate), ...servers.map(String), short(plan.gigabits)];
  });
  return table(head, rows);
}

export function diskTable(inputs: Inputs, loads: readonly Load[]): string {
  const rows = loads.map((load) => {
    const { coldReads, clusteredReads } = planReads(inputs, load);
    return [whole(load.requests), percent(inputs.coldShare), short(coldReads), short(clusteredReads)];
  });
  return table(["requests/s", "cold", "disk reads/s", "after CLUSTER"], rows);
}

export function writeTable(inputs: Inputs, writes: readonly number[]): string {
  const rows = writes.map((transactions) => {
    const { gigabytesPerDay, share, days } = planWrites(inputs, transactions);
    return [whole(transactions), short(gigabytesPerDay), percent(share), whole(days)];
  });
  return table(["transactions/s", "GB/day", "of one writer", `days to ${inputs.postgresTerabytes} TB`], rows);
}

export function capacityTable(inputs: Inputs, hitRates: readonly number[]): string {
  const rows = hitRates.map((hitRate) => {
    const { instance, postgres, redis, network } = capacityOf(inputs, hitRate);
    return [percent(hitRate), short(instance), short(postgres), short(redis), short(network)];
  });
  return table(["hit rate", "instance", "PG reader", "Redis", "10 Gbit/s link"], rows);
}

export function inputTable(inputs: Inputs): string {
  const head = ["input", "value", "what it is", "source"];
  const rows = Object.entries(known).map(([name, { help, source, value }]) => {
    const given = inputs[name as keyof Inputs];
    return [name, String(given), help, given === value ? source : "given"];
  });
  return table(head, rows, (column) => column === 1);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
