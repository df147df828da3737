/** Measures the time per call over loopback: the client, openapi-fetch alone, and plain fetch. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createClient } from "@chain-query/client";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import type { paths } from "@chain-query/types";
import createOpenapiFetch from "openapi-fetch";

const apiKey = "bench";
const headers = { "X-API-Key": apiKey };

/** Microseconds per call. */
export interface Speed {
  operation: string;
  bare: number;
  openapiFetch: number;
  ours: number;
}

/** Runs a task against a server that answers with the typical answer of an operation. */
export async function withServer<T>(operation: string, task: (baseUrl: string) => Promise<T>): Promise<T> {
  const body = examples.find(({ operationId, response }) => operationId === operation && response.status === 200)?.response
    .body;
  const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)), [JSON.stringify(body)]);
  try {
    const [port] = await once(server, "message");
    return await task(`http://127.0.0.1:${port}`);
  } finally {
    server.kill();
  }
}

/** The best of several rounds, with the three in turn, so that other load affects all of them. */
export async function measureSpeeds(rounds = 200, calls = 60): Promise<Speed[]> {
  return [
    await withServer("getMasterchainInfo", async (baseUrl) => {
      const chain = createClient({ baseUrl, apiKey, rateLimit: false });
      const raw = createOpenapiFetch<paths, "application/json">({ baseUrl, headers });
      const url = `${baseUrl}/api/v2/getMasterchainInfo`;
      return speedOf("getMasterchainInfo", rounds, calls, {
        bare: async () => JSON.parse(await (await fetch(url, { headers })).text()),
        openapiFetch: () => raw.GET("/api/v2/getMasterchainInfo"),
        ours: () => chain.getMasterchainInfo(),
      });
    }),
    await withServer("lookupBlock", async (baseUrl) => {
      const chain = createClient({ baseUrl, apiKey, rateLimit: false });
      const raw = createOpenapiFetch<paths, "application/json">({ baseUrl, headers });
      const input = { workchain: -1, shard: "-9223372036854775808", seqno: 1 };
      const url = `${baseUrl}/api/v2/lookupBlock`;
      const json = { ...headers, "content-type": "application/json" };
      return speedOf("lookupBlock", rounds, calls, {
        bare: async () =>
          JSON.parse(await (await fetch(url, { method: "POST", headers: json, body: JSON.stringify(input) })).text()),
        openapiFetch: () => raw.POST("/api/v2/lookupBlock", { body: input }),
        ours: () => chain.lookupBlock(input),
      });
    }),
  ];
}

type Contenders = Record<Exclude<keyof Speed, "operation">, () => Promise<unknown>>;

async function speedOf(operation: string, rounds: number, calls: number, contenders: Contenders): Promise<Speed> {
  const least: Speed = { operation, bare: Infinity, openapiFetch: Infinity, ours: Infinity };
  const names = Object.keys(contenders) as (keyof Contenders)[];
  for (let round = 0; round < rounds; round++) {
    for (const name of names.slice(round % 3).concat(names.slice(0, round % 3))) {
      const call = contenders[name];
      const start = performance.now();
      for (let index = 0; index < calls; index++) await call();
      least[name] = Math.min(least[name], ((performance.now() - start) * 1000) / calls);
    }
  }
  return least;
}
