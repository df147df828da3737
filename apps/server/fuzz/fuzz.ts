/** Sends generated invalid requests, the same ones for the same seed, and checks the answers against the contract. */
import fc from "fast-check";
import { type Attack, draftOf, type ValidRequest } from "./attack.ts";
import { type Client, createClient } from "./client.ts";
import { faultIn } from "./judge.ts";
import { attacksFrom } from "./mutations.ts";

/** What to send. */
export interface FuzzPlan {
  readonly url: string;
  /** The valid requests that are changed. */
  readonly valid: readonly ValidRequest[];
  readonly seed: number;
  readonly count: number;
  /** Number of concurrent clients. */
  readonly clients: number;
  /** The index of the first request to send; earlier ones are only generated. */
  readonly from?: number;
  readonly onProgress?: (sent: number) => void | Promise<void>;
}

/** The result. */
export interface FuzzReport {
  readonly sent: number;
  /** Number of answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Number of incomplete requests without an answer. */
  readonly unanswered: number;
  readonly faults: readonly Fault[];
}

/** A wrong answer. */
export interface Fault {
  /** Identifies the request, together with the seed. */
  readonly index: number;
  readonly what: string;
  /** The beginning of the request. */
  readonly request: string;
}

const batch = 500;
const maxFaults = 20;
const probeEvery = 8;

/** Sends the requests. */
export async function fuzz({ url, valid, seed, count, clients, from = 0, onProgress }: FuzzPlan): Promise<FuzzReport> {
  const port = Number(new URL(url).port);
  const attacks = attacksFrom(valid.map(draftOf));
  const statuses = new Map<number, number>();
  const faults: Fault[] = [];
  let unanswered = 0;

  const attackWith = async (client: Client, attack: Attack, index: number): Promise<void> => {
    try {
      const { answers } = await client.send(attack);
      if (answers.length === 0) unanswered++;
      for (const answer of answers) {
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const what = faultIn(attack, answer);
        if (what !== undefined) faults.push(faultOf(index, attack, `${answer.status}: ${what}`));
      }
      if (attack.isComplete && index % probeEvery === 0) await probe(client, `probe ${index}`);
    } catch (error) {
      faults.push(faultOf(index, attack, error instanceof Error ? error.message : String(error)));
    }
  };

  const pool = Array.from({ length: clients }, () => createClient(port));
  let sent = 0;
  for (let start = Math.floor(from / batch) * batch; start < from + count && faults.length < maxFaults; start += batch) {
    const made = fc.sample(attacks, { seed: seed + start, numRuns: batch });
    const wanted = made
      .map((attack, index) => ({ attack, index: start + index }))
      .filter(({ index }) => index >= from && index < from + count);
    const queue = wanted.values();
    const work = async (client: Client): Promise<void> => {
      for (const { attack, index } of queue) await attackWith(client, attack, index);
    };
    await Promise.all(pool.map(work));
    sent += wanted.length;
    await onProgress?.(sent);
  }
  for (const client of pool) client.close();
  return { sent, statuses, unanswered, faults };
}

/** Checks that the next request on the connection gets its own answer. */
async function probe(client: Client, name: string): Promise<void> {
  const path = `/api/v2/getMasterchainInfo?${new URLSearchParams({ "@extra": name })}`;
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: fuzz\r\n\r\n`);
  const { answers } = await client.send({ pieces: [request], isComplete: true, method: "GET", path: "" });
  const body: unknown = JSON.parse(answers[0]?.body.toString() ?? "null");
  if (typeof body !== "object" || body === null || !("@extra" in body) || body["@extra"] !== name) {
    throw new Error(`the next request got the answer ${JSON.stringify(body)}`);
  }
}

const previewLength = 1000;

function faultOf(index: number, { pieces }: Attack, what: string): Fault {
  const request = JSON.stringify(Buffer.concat(pieces).toString("latin1", 0, previewLength));
  return { index, what, request };
}
