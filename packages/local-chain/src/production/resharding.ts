/** Splits and merges of shards: the schedule, the announcements, and the division of a shard's state, queue and pool. */
import {
  childShards,
  containsAccount,
  isSameShard,
  parentShard,
  prefixLength,
  type ShardId,
} from "@chain-query/format/identifiers";
import {
  type LoadHistory,
  mergeStates,
  type Resharding,
  type ReshardingWindow,
  type ShardDescription,
  type ShardState,
  splitState,
} from "@chain-query/format/states";
import { type ChainOptions, reshardingTimings } from "../genesis/options.ts";
import { pick, seededRandom } from "../random.ts";
import { MAX_DEPTH } from "../store/tables.ts";
import { byCreation, type Network, type Shard } from "./network.ts";

/** A schedule splits this many times, then merges as often, and begins again. */
const EVENTS_IN_A_ROW = 4;

/** The announcements of a shard's block. */
export type Announced = Pick<Resharding, "isBeforeSplit" | "wantsSplit" | "wantsMerge">;

/**
 * Splits and merges the shards that the newest masterchain block lets split and merge.
 *
 * @param isDue - Whether it happens in this step; it may wait while the shard, or the left one of two, has no block.
 */
export function reshard(network: Network, isDue: (shard: ShardId) => boolean): void {
  const { shards } = network;
  for (let at = 0; at < shards.length; at++) {
    const shard = shards[at] as Shard;
    const isLast = isLastBlock(network, shard);
    if (isLast === "split" && isDue(shard.state.shard)) shards.splice(at, 1, ...halvesOf(shard));
    else if (isLast === "merge" && isDue(shard.state.shard)) shards.splice(at, 2, mergedOf(shard, shards[at + 1] as Shard));
    else if (isLast === "merge") at += 1;
  }
}

/** Whether the newest block of a shard is its last one, because the shard splits or merges. */
export function isLastBlock(network: Network, { state }: Shard): ReshardingWindow["kind"] | undefined {
  if (state.isBeforeSplit) return "split";
  return descriptionOf(network, state.shard)?.resharding?.isBeforeMerge ? "merge" : undefined;
}

function halvesOf(shard: Shard): Shard[] {
  const { state, tip } = shard;
  return splitState(state).map((half) => ({
    state: half,
    tip,
    inbound: shard.inbound.filter(({ message }) => message.destination && containsAccount(half.shard, message.destination)),
    delivered: shard.delivered.filter(({ queued }) => containsAccount(half.shard, queued.at)),
    pool: shard.pool.filter(({ to }) => containsAccount(half.shard, to)),
    origin: { former: [state] },
  }));
}

function mergedOf(left: Shard, right: Shard): Shard {
  return {
    state: mergeStates(left.state, right.state),
    tip: left.tip,
    inbound: [...left.inbound, ...right.inbound].sort(byCreation),
    delivered: [...left.delivered, ...right.delivered],
    pool: [...left.pool, ...right.pool].sort((a, b) => a.number - b.number),
    origin: { mergedWith: right.tip, former: [left.state, right.state] },
  };
}

/** What the blocks of a step announce: what is scheduled, and what was announced before and has not happened yet. */
interface Announcements {
  /** The shards that are to split or to merge, and need a block to say so. */
  readonly scheduled: readonly Shard[];
  /** Of the next block of a shard. Only the last one in a step can be the last one of its shard. */
  of(shard: Shard, isLastInStep: boolean): Announced;
}

export function announcements(network: Network, seqno: number, time: number): Announcements {
  const scheduled = scheduledEvent(network, seqno);
  return {
    scheduled: scheduled?.shards ?? [],
    of: (shard, isLastInStep) => {
      const { wantsSplit = false, wantsMerge = false, window } = descriptionOf(network, shard.state.shard)?.resharding ?? {};
      const isBeforeSplit = isLastInStep && window?.kind === "split" && isOpen(window, time);
      if (network.options.resharding === "load") return { isBeforeSplit, ...wantsByLoad(shard.state) };
      const isScheduled = scheduled?.shards.includes(shard) === true;
      return {
        isBeforeSplit,
        wantsSplit: wantsSplit || (isScheduled && scheduled.kind === "split"),
        wantsMerge: wantsMerge || (isScheduled && scheduled.kind === "merge"),
      };
    },
  };
}

interface ScheduledEvent {
  readonly kind: ReshardingWindow["kind"];
  readonly shards: readonly Shard[];
}

/** The shard that is to split in a step, or the siblings that are to merge: a random choice of those that wait for no other event. */
function scheduledEvent(network: Network, seqno: number): ScheduledEvent | undefined {
  const { resharding, seed } = network.options;
  if (typeof resharding !== "number" || seqno % resharding !== 0) return undefined;
  const kind = Math.floor(seqno / resharding - 1) % (2 * EVENTS_IN_A_ROW) < EVENTS_IN_A_ROW ? "split" : "merge";
  const free = network.shards.filter(({ state }) => !descriptionOf(network, state.shard)?.resharding);
  const candidates = kind === "split" ? splittable(free) : mergeable(free);
  return candidates.length === 0 ? undefined : { kind, shards: pick(seededRandom(seed, "resharding", seqno), candidates) };
}

function splittable(shards: readonly Shard[]): Shard[][] {
  return shards.filter(({ state }) => prefixLength(state.shard.shard) < MAX_DEPTH).map((shard) => [shard]);
}

function mergeable(shards: readonly Shard[]): Shard[][] {
  return shards.flatMap((left, i) => {
    const right = shards[i + 1];
    return right && areSiblings(left.state.shard, right.state.shard) ? [[left, right]] : [];
  });
}

function areSiblings(left: ShardId, right: ShardId): boolean {
  const [first, second] = childShards(parentShard(left));
  return isSameShard(left, first) && isSameShard(right, second);
}

export function descriptionOf({ masterchain }: Pick<Network, "masterchain">, shard: ShardId): ShardDescription | undefined {
  return masterchain.state.masterchain?.shards.find((known) => isSameShard(known, shard));
}

/** The newest block of a shard, with its announcements. */
export interface ShardTop {
  readonly shard: ShardId;
  readonly announced: Announced;
}

/** The announcements of the newest block of a shard that has no block in this step. */
export function announcedBefore(network: Network, { state }: Shard): Announced {
  const {
    isBeforeSplit = false,
    wantsSplit = false,
    wantsMerge = false,
  } = descriptionOf(network, state.shard)?.resharding ?? {};
  return { isBeforeSplit, wantsSplit, wantsMerge };
}

/**
 * What the masterchain announces of each shard after its newest block. A split and a merge get a time window once blocks ask for them; in the
 * window of a merge, the masterchain itself makes the blocks of both halves the last ones.
 */
export function reshardings(network: Network, tops: readonly ShardTop[], time: number): (Resharding | undefined)[] {
  const windows = tops.map(({ shard, announced }, i) => {
    const window = descriptionOf(network, shard)?.resharding?.window;
    if (announced.isBeforeSplit) return undefined;
    if (window && time < window.start + window.seconds) return window;
    if (announced.wantsSplit) return newWindow(network.options, "split", time);
    return announced.wantsMerge && siblingOf(tops, i)?.announced.wantsMerge
      ? newWindow(network.options, "merge", time)
      : undefined;
  });
  return tops.map(({ announced }, i) => {
    const window = windows[i];
    const isWanted = announced.wantsMerge === true && siblingOf(tops, i)?.announced.wantsMerge === true;
    const isBeforeMerge = isWanted && window?.kind === "merge" && isOpen(window, time);
    if (!(announced.isBeforeSplit || announced.wantsSplit || announced.wantsMerge || window)) return undefined;
    return { ...announced, isBeforeMerge, ...(window && { window }) };
  });
}

function siblingOf(tops: readonly ShardTop[], at: number): ShardTop | undefined {
  const own = tops[at]?.shard;
  const [before, after] = [tops[at - 1], tops[at + 1]];
  if (own && after && areSiblings(own, after.shard)) return after;
  return own && before && areSiblings(before.shard, own) ? before : undefined;
}

function newWindow(options: ChainOptions, kind: ReshardingWindow["kind"], time: number): ReshardingWindow {
  const { delay, interval } = reshardingTimings(options);
  return { kind, start: time + delay, seconds: interval };
}

function isOpen({ start, seconds }: ReshardingWindow, time: number): boolean {
  return start <= time && time < start + seconds;
}

/** The load of shards, by which they split and merge. */

const NO_LOAD: LoadHistory = { overloaded: 0n, underloaded: 0n };

/** A block with at most this part of the transactions that fit is underloaded. */
const UNDERLOADED = 1 / 4;

/**
 * The load of a shard with its next block.
 *
 * @param count - Of the block's transactions.
 * @param leaves - Whether it leaves messages waiting for a later block.
 */
export function loadAfter(
  { load = NO_LOAD }: ShardState,
  { count, leaves }: { readonly count: number; readonly leaves: boolean },
  { transactionLimit }: Pick<ChainOptions, "transactionLimit">,
): LoadHistory {
  const next = (history: bigint, isSet: boolean): bigint => BigInt.asUintN(64, (history << 1n) | (isSet ? 1n : 0n));
  return {
    overloaded: next(load.overloaded, leaves || count >= transactionLimit),
    underloaded: next(load.underloaded, !leaves && count <= UNDERLOADED * transactionLimit),
  };
}

/** What the next block of a shard asks for because of the blocks before it. */
function wantsByLoad({ shard: { shard }, load = NO_LOAD }: ShardState): Pick<Resharding, "wantsSplit" | "wantsMerge"> {
  return {
    wantsSplit: isHeavy(load.overloaded) && prefixLength(shard) < MAX_DEPTH,
    wantsMerge: isHeavy(load.underloaded) && prefixLength(shard) > 0,
  };
}

/** The newest 48 blocks have up to 96 points. As in the network, 64 are enough: of the newest 24 blocks, for example. */
function isHeavy(history: bigint): boolean {
  const count = (from: number): number =>
    BigInt.asUintN(16, history >> BigInt(from))
      .toString(2)
      .replaceAll("0", "").length;
  return 3 * count(0) + 2 * count(16) + count(32) >= 64;
}
