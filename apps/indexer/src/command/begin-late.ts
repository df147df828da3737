import { CommandLineError } from "@chain-query/command-line";
import type { BlockHeader, StepSource } from "@chain-query/format/store";
import { isMissingSomewhere } from "@chain-query/lite";
import { ageOf } from "./report.ts";

/** A step, or so many seconds before the newest step. */
export type PastStep = { readonly step: number } | { readonly seconds: number };

/** Where an empty index begins. */
export type IndexStart = "newest" | PastStep;

/**
 * Finds the first step of an index, and reads the newest block of each shard before it, which are undefined for the zero state.
 *
 * @param flag - For messages.
 * @throws CommandLineError if the source does not have the blocks and states of this step.
 */
export async function findBegin(
  source: StepSource,
  flag: "--start" | "--back-to",
  start: IndexStart,
): Promise<{ readonly first: number; readonly tips: readonly BlockHeader[] | undefined }> {
  const newest = await source.newest();
  const sought = await soughtStep(source, start, newest);
  try {
    const first = "time" in sought ? await source.stepAt(sought.time) : sought.step;
    if (first > newest) throw new CommandLineError([`${flag}: expected at most the newest step, ${newest}, got ${first}`]);
    const tips = await source.tips(Math.min(newest, Math.max(1, first - 1)));
    return { first, tips: first > 1 ? tips : undefined };
  } catch (error) {
    if (start === "newest" || !isMissingSomewhere(error)) throw error;
    const oldest = await source.findOldest?.();
    // They have it, but cannot be read now.
    if (oldest && ("time" in sought ? sought.time > oldest.time : sought.step > oldest.seqno)) throw error;
    const accepted = oldest ? `a step from ${oldest.seqno + 1} on, made ${ageOf(oldest.time)}` : "a newer step";
    const given = "seconds" in start ? `${start.seconds}s` : start.step;
    throw new CommandLineError([
      `${flag}: expected ${flag === "--start" ? "newest or " : ""}${accepted}, since the lite servers do not keep older blocks or states, got ${given}`,
    ]);
  }
}

async function soughtStep(
  source: StepSource,
  start: IndexStart,
  newest: number,
): Promise<{ readonly step: number } | { readonly time: number }> {
  if (start === "newest") return { step: newest };
  if ("step" in start) return start;
  const [tip] = await source.tips(newest);
  return { time: (tip?.time ?? 0) - start.seconds };
}
