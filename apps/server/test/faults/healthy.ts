/** Well-behaved callers, who ask and ask while something befalls the service. */
import { Agent, request } from "node:http";
import { judgeBody } from "@chain-query/conformance";
import type { OperationId } from "@chain-query/types";
import { operations } from "../../src/contract/bundle.ts";

/** What they have seen. */
export interface Seen {
  /** Right answers. */
  readonly answered: number;
  /** Answers that are not right, in words. */
  readonly wrong: readonly string[];
  /** Connections that ended without an answer. */
  readonly cut: number;
}

/** Callers who ask until they are told to stop. */
export interface Callers {
  readonly seen: () => Seen;
  stop(): Promise<Seen>;
}

const shard = "-9223372036854775808";
const questions: readonly (readonly [OperationId, object?])[] = [
  ["getMasterchainInfo"],
  ["getConsensusBlock", {}],
  ["lookupBlock", { workchain: -1, shard, seqno: 7 }],
  ["getOutMsgQueueSize", {}],
  ["getAddressInformation", { address: `0:${"17".repeat(32)}` }],
];

/** Lets so many callers ask, each one question after another. @param keepAlive - Whether they keep their connections. */
export function startCallers(url: string, count: number, keepAlive = true): Callers {
  const agent = new Agent({ keepAlive, maxSockets: count });
  const wrong: string[] = [];
  let answered = 0;
  let cut = 0;
  let stopped = false;
  const caller = async (first: number): Promise<void> => {
    for (let turn = first; !stopped; turn++) {
      const [id, body] = questions[turn % questions.length] ?? ["getMasterchainInfo"];
      try {
        const fault = await ask(agent, url, id, body);
        if (fault === undefined) answered++;
        else wrong.push(`${id}: ${fault}`);
      } catch {
        cut++;
      }
    }
  };
  const done = Promise.all(Array.from({ length: count }, (_, index) => caller(index)));
  const seen = (): Seen => ({ answered, wrong, cut });
  return {
    seen,
    async stop() {
      stopped = true;
      await done;
      agent.destroy();
      return seen();
    },
  };
}

/** What is wrong with an answer. Rejects where there is none. */
function ask(agent: Agent, url: string, id: OperationId, body: object | undefined): Promise<string | undefined> {
  const operation = operations.find((one) => one.id === id);
  const { method = "GET", path = "" } = operation ?? {};
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const call = request(url + path, { agent, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.once("error", reject).once("end", () => {
        const { statusCode } = response;
        const fault = statusCode === 200 ? judgeBody(id, JSON.parse(text)).deviations[0]?.expected : `${statusCode} ${text}`;
        resolve(fault);
      });
    });
    call.once("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
