import { expect, test, vi } from "vitest";
import { type LiteEvent, liteEventLines } from "../../src/servers/events.ts";
import { useVirtualClock } from "./simulated-network.ts";

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
