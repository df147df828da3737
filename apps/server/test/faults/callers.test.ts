import { execFileSync } from "node:child_process";
import { describe, expect, test, vi } from "vitest";
import { until } from "../processes/command.ts";
import { startService } from "../service.ts";
import { type Disturbance, dripping, headerBombs, idling, largeBodies } from "./disturbances.ts";
import { startCallers } from "./healthy.ts";

/** Both ends of a connection lie in this process, and other files of tests need some as well. */
const files = Number(execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" })) || 100_000;
const most = Math.floor(files / 4);

/** Lets others ask while somebody disturbs, until they had many answers and so many disturbances were there. */
async function askedDuring(disturb: (port: number) => Promise<Disturbance>, size: number): Promise<void> {
  await using service = await startService();
  const callers = startCallers(service.url, 4);
  using disturbance = await disturb(Number(new URL(service.url).port));
  const before = callers.seen().answered;
  await until(() => (callers.seen().answered > before + 200 && disturbance.size() >= size) || undefined);
  const { wrong, cut } = await callers.stop();
  expect({ wrong, cut }).toEqual({ wrong: [], cut: 0 });
}

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 180_000 });

describe("others are answered", () => {
  test("while thousands of connections say nothing", async () => {
    const count = Math.min(2000, most);
    await askedDuring((port) => idling(port, count), count);
  });

  test("while a thousand requests come byte by byte", async () => {
    const count = Math.min(1000, most);
    await askedDuring((port) => dripping(port, count), count);
  });

  test("while bodies of two megabytes come", () => askedDuring((port) => largeBodies(port, 4), 20));

  test("while heads of a megabyte come", () => askedDuring((port) => headerBombs(port, 4), 20));
});

describe("a connection", () => {
  test("is ended where no request comes to an end on it", async () => {
    await using service = await startService();
    const port = Number(new URL(service.url).port);
    using silent = await idling(port, 2);
    using slow = await dripping(port, 3);
    await until(() => (slow.ended() >= 3 && silent.ended() === 2) || undefined);
  });
});
