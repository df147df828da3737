import { Agent, request } from "node:http";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };

interface Shot {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** The first example of each operation, in turn. */
const shots: Shot[] = examples
  .filter(({ operationId }, index) => examples.findIndex((other) => other.operationId === operationId) === index)
  .map(({ request: { method, path, query, body } }) => {
    const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    const text = body === undefined ? "" : JSON.stringify(body);
    return {
      method,
      path: `${path}?${new URLSearchParams(pairs)}`,
      headers: text === "" ? {} : { "content-type": "application/json", "content-length": `${Buffer.byteLength(text)}` },
      body: text,
    };
  });

/** Asks over connections that stay open until the time is over; how many answers came. */
export async function load(url: string, ms: number, connections: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + ms;
  let answered = 0;
  const caller = async (first: number): Promise<void> => {
    for (let turn = first; performance.now() < end; turn++) {
      const shot = shots[turn % shots.length];
      if (shot === undefined) throw new Error("the contract has no examples");
      const status = await fire({ hostname, port, agent }, shot);
      if (status !== 200) throw new Error(`${shot.method} ${url}${shot.path} answered ${status}`);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => caller(index)));
  agent.destroy();
  return answered;
}

function fire(to: { hostname: string; port: string; agent: Agent }, { method, path, headers, body }: Shot): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...to, method, path, headers }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
