/** Many requests, each wrong in its own way and all the same for the same seed; what the service answers is held against the contract. */
import fc from "fast-check";
import type { Shot } from "../bench/load.ts";
import { type Caller, callerOf } from "./caller.ts";
import { type Attack, draftOf } from "./draft.ts";
import { faultIn } from "./judge.ts";
import { attacksFrom } from "./mutations.ts";

/** What is to be done. */
export interface FuzzPlan {
  readonly url: string;
  /** Valid requests, from which the wrong ones are made. */
  readonly valid: readonly Shot[];
  readonly seed: number;
  readonly count: number;
  /** Callers at once. */
  readonly callers: number;
  /** The first that is sent; those before it are only made. */
  readonly from?: number;
  readonly onProgress?: (sent: number) => void | Promise<void>;
}

/** What came of it. */
export interface FuzzReport {
  readonly sent: number;
  /** How many answers there were of each status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Connections that ended without an answer to what was no whole request. */
  readonly unanswered: number;
  readonly faults: readonly Fault[];
}

/** An answer that should not be. */
export interface Fault {
  /** With the seed, this names the request. */
  readonly index: number;
  readonly what: string;
  /** The request, as much of it as a person reads. */
  readonly request: string;
}

const batch = 500;
const mostFaults = 20;
const probeEvery = 8;

/** Sends the requests. */
export async function fuzz({ url, valid, seed, count, callers, from = 0, onProgress }: FuzzPlan): Promise<FuzzReport> {
  const port = Number(new URL(url).port);
  const attacks = attacksFrom(valid.map(draftOf));
  const statuses = new Map<number, number>();
  const faults: Fault[] = [];
  let unanswered = 0;

  const attackWith = async (caller: Caller, attack: Attack, index: number): Promise<void> => {
    try {
      const { answers } = await caller.send(attack);
      if (answers.length === 0) unanswered++;
      for (const answer of answers) {
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const what = faultIn(attack, answer);
        if (what !== undefined) faults.push(faultOf(index, attack, `${answer.status}: ${what}`));
      }
      if (attack.isWhole && index % probeEvery === 0) await probe(caller, `probe ${index}`);
    } catch (error) {
      faults.push(faultOf(index, attack, error instanceof Error ? error.message : String(error)));
    }
  };

  const lines = Array.from({ length: callers }, () => callerOf(port));
  let sent = 0;
  for (let start = Math.floor(from / batch) * batch; start < from + count && faults.length < mostFaults; start += batch) {
    const made = fc.sample(attacks, { seed: seed + start, numRuns: batch });
    const wanted = made
      .map((attack, index) => ({ attack, index: start + index }))
      .filter(({ index }) => index >= from && index < from + count);
    const queue = wanted.values();
    const work = async (caller: Caller): Promise<void> => {
      for (const { attack, index } of queue) await attackWith(caller, attack, index);
    };
    await Promise.all(lines.map(work));
    sent += wanted.length;
    await onProgress?.(sent);
  }
  for (const line of lines) line.close();
  return { sent, statuses, unanswered, faults };
}

/** The connection still tells requests apart: what is asked next is answered next. */
async function probe(caller: Caller, name: string): Promise<void> {
  const path = `/api/v2/getMasterchainInfo?${new URLSearchParams({ "@extra": name })}`;
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: fuzz\r\n\r\n`);
  const { answers } = await caller.send({ pieces: [request], isWhole: true, method: "GET", path: "" });
  const body: unknown = JSON.parse(answers[0]?.body.toString() ?? "null");
  if (typeof body !== "object" || body === null || !("@extra" in body) || body["@extra"] !== name) {
    throw new Error(`the request after it was answered with ${JSON.stringify(body)}`);
  }
}

const longestPreview = 1000;

function faultOf(index: number, { pieces }: Attack, what: string): Fault {
  const request = JSON.stringify(Buffer.concat(pieces).toString("latin1", 0, longestPreview));
  return { index, what, request };
}
