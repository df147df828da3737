import { Agent, request } from "node:http";
import { operations } from "@chain-query/openapi/operations";

interface Shot {
  readonly method: string;
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The first example of each operation. */
const shots: readonly Shot[] = operations.flatMap(({ examples: [first] }) => {
  if (first === undefined) return [];
  const { method, path, query, body } = first.request;
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = { "content-type": "application/json", "content-length": `${Buffer.byteLength(text)}` };
  return [{ method, target: `${path}?${new URLSearchParams(pairs)}`, headers: text === "" ? {} : headers, body: text }];
});

/** Sends requests over keep-alive connections for a time, and returns the number of responses. */
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
      if (status !== 200) throw new Error(`${shot.method} ${url}${shot.target} answered ${status}`);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => caller(index)));
  agent.destroy();
  return answered;
}

function fire(to: { hostname: string; port: string; agent: Agent }, { method, target, headers, body }: Shot): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...to, method, path: target, headers }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
