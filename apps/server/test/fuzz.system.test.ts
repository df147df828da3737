import { describe, expect, test } from "vitest";
import { requestsOn } from "../bench/requests.ts";
import { startServer } from "../bench/server-process.ts";
import { fuzz } from "../fuzz/fuzz.ts";
import { testChain } from "./fixtures/chain.ts";

const warmUp = 1000;
const count = 4000;
const statuses = [200, 400, 401, 404, 405, 413, 414, 415, 422, 431];

describe("the service", () => {
  test("answers thousands of invalid requests as the contract says, and uses no more memory afterwards", async () => {
    const chain = testChain;
    const valid = Object.values(await requestsOn(chain, 10)).flat();
    await using server = await startServer({ kind: "service", chain });
    const plan = { url: server.url, valid, seed: 1, clients: 16 };
    const first = await fuzz({ ...plan, count: warmUp });
    const before = await server.read("heap");
    const second = await fuzz({ ...plan, from: warmUp, count });
    expect([...first.faults, ...second.faults]).toEqual([]);
    expect(second.sent).toBe(count);
    expect([...second.statuses.keys()]).toEqual(expect.arrayContaining(statuses));
    expect((await server.read("heap")) / before).toBeLessThan(1.3);
  });
});
