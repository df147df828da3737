/** The silence of a database, for a process that reads no answers. */
import { expect, test } from "vitest";
import { Databases } from "../src/index.ts";
import { newIndex, STEPS, startReadChain } from "./indexed-chains.ts";

test("a process that is busy does not take its database for silent", async () => {
  await using read = await startReadChain();
  const [account = expect.unreachable()] = read.accounts;
  const expected = await read.reader.account(account, STEPS);
  // A session takes about ten ticks of the event loop to open, which take longer than the silence of 5 s. The ticks of a statement
  // take less than its timeout.
  const databases = new Databases({ primary: { ...(await newIndex(read.steps)), statementTimeout: 4_000 }, replicas: [] });
  let isDone = false;
  const occupy = (): void => {
    for (const until = performance.now() + 600; performance.now() < until; );
    if (!isDone) setImmediate(occupy);
  };
  occupy();
  try {
    expect(await databases.primary.reader.account(account, STEPS)).toEqual(expected);
  } finally {
    isDone = true;
  }
  await databases.close();
});
