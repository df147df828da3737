import type { Database, Parameter } from "../src/client.ts";

/** The plan after a second execution: the first one reads the catalogue. Changes are rolled back. */
export async function planOf(sql: Database, text: string, parameters: readonly Parameter[]): Promise<string[]> {
  let plan: string[] = [];
  const explain = `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) ${text}`;
  await sql
    .begin(async (tx) => {
      for (let i = 0; i < 2; i++) {
        const rows = await tx.savepoint(async (inner) => {
          const explained = await inner.unsafe(explain, [...parameters]);
          return explained.map((row) => String(row["QUERY PLAN"]));
        });
        plan = rows;
      }
      throw new RollBack();
    })
    .catch((cause: unknown) => {
      if (!(cause instanceof RollBack)) throw cause;
    });
  return plan;
}

class RollBack extends Error {}

/** The first line that counts buffers is that of the whole statement. */
export function buffersOf(plan: readonly string[]): number {
  const line = plan.find((text) => text.includes("Buffers:")) ?? "";
  return Array.from(line.matchAll(/(?:hit|read)=(\d+)/g), ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}
