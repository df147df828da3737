/** Thousands of invalid requests, whose responses are checked against the contract. */
import { expect, test } from "vitest";
import { fuzz } from "../fuzz/fuzz.ts";
import { requestsOn } from "../fuzz/requests.ts";
import { startServer } from "../fuzz/server-process.ts";
import { testChain } from "./fixtures/chain.ts";

const statuses = [200, 400, 401, 404, 405, 413, 414, 415, 422, 431];
/** Requests before memory is measured, while the service still compiles and caches, and after that. */
const [warmUp, count] = [1000, 4000];

test("the service answers thousands of invalid requests as the contract says, and uses no more memory afterwards", async () => {
  const valid = Object.values(await requestsOn(testChain, 10)).flat();
  await using server = await startServer({ kind: "service", chain: testChain });
  const plan = { url: server.url, valid, seed: 1, clients: 16 };
  const first = await fuzz({ ...plan, count: warmUp });
  const before = await server.read("heap");
  const second = await fuzz({ ...plan, from: warmUp, count });
  expect([...first.faults, ...second.faults]).toEqual([]);
  expect(second.sent).toBe(count);
  expect([...first.statuses.keys(), ...second.statuses.keys()]).toEqual(expect.arrayContaining(statuses));
  expect((await server.read("heap")) / before).toBeLessThan(1.3);
});
