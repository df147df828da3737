import { once } from "node:events";
import { Agent, get } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Status } from "../../src/status/status.ts";
import { ask } from "../ask.ts";
import { startService } from "../service.ts";

async function statusOf(url: string): Promise<Status> {
  const response = await fetch(`${url}/status.json`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  return (await response.json()) as Status;
}

describe("/status.json", () => {
  test("is answered at the limit without a key, and takes nothing of it", async () => {
    await using service = await startService("--keyless-rate", "1");
    const all = await Promise.all(Array.from({ length: 20 }, () => statusOf(service.url)));
    // Made once for all of them.
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBeLessThanOrEqual(2);
    expect((await ask(service.url, "getMasterchainInfo")).status).toBe(200);
  });

  test("tells the head, and that an old chain makes no blocks", async () => {
    await using service = await startService();
    const { chain, requests, time } = await statusOf(service.url);
    expect(chain?.seqno).toBe(60);
    expect(chain?.transactions).toBeGreaterThan(1000);
    expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(60);
    expect(requests).toBeUndefined();
  });

  test("counts the requests of all processes", async () => {
    await using service = await startService("--workers", "2");
    // A process compares its own looks, and only on one connection are they those of one process.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const look = async (): Promise<Status> => {
      const [response] = await once(get(`${service.url}/status.json`, { agent }), "response");
      return json(response) as Promise<Status>;
    };
    // Each on a connection of its own, so that both workers answer some.
    const headers = { connection: "close" };
    let counted = 0;
    // Where the connection ended in between, the next round begins with looks of the other process.
    for (let polls = 0; counted !== 12; polls++) {
      await look();
      if (polls % 100 === 0)
        for (let turn = 0; turn < 12; turn++)
          await ask(service.url, turn % 4 === 0 ? "lookupBlock" : "getMasterchainInfo", {}, headers);
      await sleep(150);
      const { requests } = await look();
      counted = Math.round((requests?.perSecond ?? 0) * (requests?.seconds ?? 0));
      if (counted === 12) expect(requests?.refused).toBeCloseTo(0.25);
    }
    agent.destroy();
  });
});
