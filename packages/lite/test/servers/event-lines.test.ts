import { expect, test, vi } from "vitest";
import { type LiteEvent, liteEventLines } from "../../src/servers/events.ts";
import { LiteError } from "../../src/wire/lite-error.ts";
import { SimulatedNetwork, useVirtualClock } from "./simulated-network.ts";

useVirtualClock();

test("what a server can cause at any time is one line for each server, class and minute", async () => {
  const lineOf = liteEventLines();
  const overruled = (server: string, reason: string): LiteEvent => ({
    ...{ type: "overruled", server, by: "s9", function: "getTime", reason },
  });
  const down = (server: string, fault: "broken" | "timeout", reason: string): LiteEvent => ({
    ...{ type: "server-down", server, class: fault, reason, retryInMs: 1 },
  });
  const events = Array.from({ length: 50 }, (_, i) => [
    overruled("s0", `${i}`),
    overruled("s1", `${i}`),
    down("s0", "broken", `${i}`),
    down("s0", "timeout", `${i}`),
  ]).flat();
  const lines = () => events.flatMap((event) => lineOf(event) ?? []).map(({ details }) => details["reason"]);
  expect(lines()).toEqual(["0", "0", "0", "0"]);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(lines()).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(lines()).toHaveLength(4);
});

test("a server that fails with ever new texts is reported once for each class of errors", async () => {
  let attempts = 0;
  const connect = async (): Promise<never> => {
    attempts += 1;
    throw new LiteError("unavailable", `${attempts}`);
  };
  const failing = new SimulatedNetwork([{}], { connect });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(attempts).toBeGreaterThan(50);
  expect(failing.events.filter(({ type }) => type === "server-down")).toHaveLength(1);
});
