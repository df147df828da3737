import { describe, expect, test } from "vitest";
import { chainSteps } from "../../src/index.ts";
import { openStore } from "../../src/store/store.ts";
import { firstSteps, syntheticStore } from "../test-folders.ts";
import { collected, recordsOf, storedRecords } from "./step-records.ts";

const COUNT = 12;

async function seqnosOf(directory: string, range: { from: number; to?: number }): Promise<number[]> {
  const source = chainSteps(directory);
  const steps = await collected(source.steps(range, new AbortController().signal));
  await source.close();
  return steps.map(({ masterchain }) => masterchain.id.seqno);
}

describe("chainSteps", () => {
  test("gives steps whose records are those of the chain's file, byte for byte", async () => {
    const { directory } = await syntheticStore(COUNT);
    const source = chainSteps(directory);
    const records = await recordsOf(source);
    expect(records).toEqual(await storedRecords(directory));
    expect(records.transactions.size).toBe(COUNT * 15);
    await source.close();
  });

  test("gives the steps of a range", async () => {
    const { directory, steps } = await syntheticStore(COUNT);
    const source = chainSteps(directory);
    const [fifth, sixth, ...others] = await collected(source.steps({ from: 5, to: 6 }, new AbortController().signal));
    await source.close();
    expect(others).toEqual([]);
    expect(fifth?.shards.map(({ id }) => id)).toEqual(steps[4]?.shards.map(({ id }) => id));
    expect(sixth?.masterchain.id).toEqual(steps[5]?.masterchain.id);
    expect(await seqnosOf(directory, { from: COUNT, to: COUNT })).toEqual([COUNT]);
    expect(await seqnosOf(directory, { from: 4, to: 3 })).toEqual([]);
    await expect(seqnosOf(directory, { from: 0 })).rejects.toThrow("the first step must be an integer ≥ 1, got 0");
  });

  test("waits for steps that another process writes, until its signal", async () => {
    const { directory } = await syntheticStore(2);
    const writer = openStore(directory);
    const source = chainSteps(directory);
    const stop = new AbortController();
    const seen: number[] = [];
    const [, , third, fourth, fifth] = firstSteps(5);
    const later = [third, fourth, fifth];
    const reading = async () => {
      for await (const { masterchain } of source.steps({ from: 2 }, stop.signal)) {
        seen.push(masterchain.id.seqno);
        const next = later.shift();
        if (next) await writer.commit(next);
        else stop.abort(new Error("enough"));
      }
    };
    await expect(reading()).rejects.toThrow("enough");
    expect(seen).toEqual([2, 3, 4, 5]);
    await source.close();
    await writer.close();
  });

  test("stops waiting at once", async () => {
    const { directory } = await syntheticStore(1);
    const source = chainSteps(directory);
    const stop = new AbortController();
    const next = source.steps({ from: 9 }, stop.signal)[Symbol.asyncIterator]().next();
    stop.abort(new Error("not any more"));
    await expect(next).rejects.toThrow("not any more");
    await source.close();
  });

  test("throws after close, also within a loop", async () => {
    const { directory } = await syntheticStore(3);
    const source = chainSteps(directory);
    const genesis = await source.genesis();
    const reading = async () => {
      for await (const _ of source.steps({ from: 1 }, new AbortController().signal)) await source.close();
    };
    await expect(reading()).rejects.toThrow("the chain is closed");
    await expect(source.newest()).rejects.toThrow("the chain is closed");
    await expect(collected(genesis.accounts())).rejects.toThrow("the chain is closed");
  });
});
