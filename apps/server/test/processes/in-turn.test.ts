import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTurn } from "../../src/processes/in-turn.ts";

test("runs never overlap, and each call is followed by a whole run", async () => {
  const events: string[] = [];
  let version = 0;
  const run = inTurn(async () => {
    events.push(`begin ${version}`);
    await turn();
    events.push("end");
  });
  const calls = [run()];
  await Promise.resolve();
  for (version = 1; version < 5; version++) calls.push(run());
  await Promise.all(calls);
  expect(events).toEqual(["begin 0", "end", "begin 5", "end"]);
  await run();
  expect(events.length).toBe(6);
});
