import { expect, test } from "vitest";
import { type Inputs, measured } from "../../src/plan/inputs.ts";
import { capacityOf, planReads, planWrites } from "../../src/plan/plan.ts";
import { readTable, writeTable } from "../../src/plan/tables.ts";

/** Round costs, so that each result can be calculated by hand. */
const round: Inputs = {
  requestMicros: 60,
  limitMicros: 40,
  missMicros: 200,
  postgresMicros: 100,
  redisMicros: 20,
  answerBytes: 5000,
  transactionBytes: 2000,
  writesPerSecond: 10_000,
  coldShare: 0.1,
  coldReads: 10,
  clusteredReads: 2,
  workers: 5,
  workerShare: 0.5,
  postgresCores: 8,
  postgresShare: 0.5,
  postgresTerabytes: 10,
  redisShare: 0.5,
};

test("requests: 100,000 a second, half of them from caches", () => {
  expect(planReads(round, { requests: 100_000, hitRate: 0.5 })).toEqual({
    // 100,000 × (60 + 40 + 0.5 × 200) µs.
    nodeCores: 20,
    // 20 of 2.5 cores in use.
    instances: 8,
    // 50,000 × 100 µs.
    postgresCores: 5,
    // 5 of 4 cores in use.
    readers: 2,
    // 100,000 × 20 µs = 2, of half a core in use.
    redisServers: 4,
    // 5,000 cold pages.
    coldReads: 50_000,
    clusteredReads: 10_000,
    gigabits: 4,
  });
});

test("no misses need no PostgreSQL", () => {
  const plan = planReads(round, { requests: 25_000, hitRate: 1 });
  expect(plan).toMatchObject({ nodeCores: 2.5, instances: 1, postgresCores: 0, readers: 0, coldReads: 0 });
});

test("transactions: 5,000 a second", () => {
  // 5,000 × 86,400 × 2 kB.
  expect(planWrites(round, 5000)).toEqual({ gigabytesPerDay: 864, share: 0.5, days: 10_000 / 864 });
});

test("one of each, at a hit rate of one half", () => {
  expect(capacityOf(round, 0.5)).toEqual({
    // 2.5 s of Node by 200 µs.
    instance: 12_500,
    // 4 s of PostgreSQL by 100 µs, for every second request.
    postgres: 80_000,
    // Half a second by 20 µs.
    redis: 25_000,
    network: 250_000,
  });
});

test("a million requests a second with the costs of the guide", () => {
  const { nodeCores, instances, readers } = planReads(measured, { requests: 1_000_000, hitRate: 0.8 });
  // 1,000,000 × (45 + 43 + 0.2 × 190) µs; 126 ÷ 2.4; 17 ÷ 8.
  expect({ nodeCores: Math.round(nodeCores), instances, readers }).toEqual({ nodeCores: 126, instances: 53, readers: 3 });
});

test("tables are aligned Markdown", () => {
  expect(writeTable(round, [50, 5000])).toBe(
    [
      "| transactions/s | GB/day | of one writer | days to 10 TB |",
      "| -------------- | -----: | ------------: | ------------: |",
      "| 50             |    8.6 |         0.5 % |         1,157 |",
      "| 5,000          |    860 |          50 % |            12 |",
    ].join("\n"),
  );
  expect(readTable(round, [{ requests: 100_000, hitRate: 0.5 }]).split("\n")[2]).toBe(
    "| 100,000    |     50 % |         20 |         8 |        5 |          2 |     4 |      4 |",
  );
});
