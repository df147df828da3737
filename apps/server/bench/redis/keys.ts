/** Many API keys: each is accepted by each instance, also after Redis was emptied, and a revoked one is refused with the next request. */
import { hash, randomBytes } from "node:crypto";
import { openApiKeys } from "@chain-query/postgres-store";
import { answerOf, newAgent } from "./traffic.ts";

/** A key. */
export interface AddedKey {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The answers to requests with many keys. */
export interface KeyAnswers {
  readonly requests: number;
  /** Answers with another status than the expected one. */
  readonly wrong: number;
}

const together = 32;

/** Adds keys as `keys add` does, without starting a program for each. */
export async function addKeys(url: string, count: number): Promise<readonly AddedKey[]> {
  const table = openApiKeys({ url }, "writer");
  try {
    return await inParallel(
      Array.from({ length: count }, (_, index) => index),
      async (index) => {
        const [id, secret] = [randomBytes(6).toString("hex"), randomBytes(32).toString("base64url")];
        await table.add({ id, secretHash: hash("sha256", secret, "buffer"), owner: `owner ${index}`, rate: 5 });
        return { id, headers: { "x-api-key": `cq_${id}_${secret}` } };
      },
    );
  } finally {
    await table.close();
  }
}

/** Sends a request with each key to each instance. */
export async function tryKeys(
  urls: readonly string[],
  keys: readonly AddedKey[],
  isExpected: (status: number) => boolean,
): Promise<KeyAnswers> {
  const agent = newAgent();
  try {
    const statuses = await inParallel(keys, ({ headers }) =>
      Promise.all(urls.map(async (url) => (await answerOf(url, headers, agent)).status)),
    );
    const all = statuses.flat();
    return { requests: all.length, wrong: all.filter((status) => !isExpected(status)).length };
  } finally {
    agent.destroy();
  }
}

async function inParallel<Value, Result>(values: readonly Value[], run: (value: Value) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < values.length; index = next++) {
      const value = values[index];
      if (value !== undefined) results[index] = await run(value);
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return results;
}
