import { CommandLineError } from "@chain-query/command-line";
import type { BlockHeader, StepSource } from "@chain-query/format/store";
import { isMissing } from "@chain-query/lite-client";

/** Where an empty index begins: at the newest step, at a step, or so many seconds before the newest step. */
export type IndexStart = "newest" | { readonly step: number } | { readonly seconds: number };

/**
 * Reads the newest block of each shard before the first step of an index. Undefined if the index begins with the zero state.
 *
 * @throws CommandLineError if the source does not have this step.
 */
export async function tipsBefore(source: StepSource, start: IndexStart): Promise<readonly BlockHeader[] | undefined> {
  const newest = await source.newest();
  const first = await firstStep(source, start, newest);
  if (first > newest) throw new CommandLineError([`--start: expected at most the newest step, ${newest}, got ${first}`]);
  if (first <= 1) return undefined;
  try {
    return await source.tips(first - 1);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const oldest = await oldestStep(source, first, newest);
    throw new CommandLineError([
      `--start: expected newest or a step from ${oldest} on, the oldest that the lite servers have, got ${first}`,
    ]);
  }
}

/** The first step of an index. */
export async function firstStep(source: StepSource, start: IndexStart, newest: number): Promise<number> {
  if (start === "newest") return newest;
  if ("step" in start) return start.step;
  const [tip] = await source.tips(newest);
  return source.stepAt((tip?.time ?? 0) - start.seconds);
}

/** The oldest step at which an index could begin. Asks for the middle of what is left: about 27 steps of a network with 100 million. */
async function oldestStep(source: StepSource, missing: number, newest: number): Promise<number> {
  let [low, high] = [missing, newest];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await hasStep(source, middle)) high = middle;
    else low = middle;
  }
  return high;
}

async function hasStep(source: StepSource, first: number): Promise<boolean> {
  try {
    await source.tips(first - 1);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
