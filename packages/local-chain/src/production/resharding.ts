/** Splits and merges of shards: the schedule, the announcements, and the division of a shard's state, queue and pool. */
import type { AssembledBlock } from "@chain-query/format/blocks";
import {
  childShards,
  containsAccount,
  isSameShard,
  parentShard,
  prefixLength,
  type ShardId,
} from "@chain-query/format/identifiers";
import {
  mergeStates,
  type Resharding,
  type ReshardingWindow,
  type ShardDescription,
  splitState,
} from "@chain-query/format/states";
import { type ChainOptions, reshardingTimings } from "../genesis/options.ts";
import { pick, seededRandom } from "../random.ts";
import { MAX_DEPTH } from "../store/tables.ts";
import { wantsByLoad } from "./load.ts";
import { byCreation, type Network, type Shard } from "./network.ts";

/** A schedule splits this many times, then merges as often, and begins again. */
const EVENTS_IN_A_ROW = 4;

/** The announcements of a shard's block. */
export type Announced = Pick<Resharding, "isBeforeSplit" | "wantsSplit" | "wantsMerge">;

/** Splits and merges the shards that the newest masterchain block lets split and merge. */
export function reshard(network: Network): void {
  const { shards } = network;
  for (let at = 0; at < shards.length; at++) {
    const shard = shards[at] as Shard;
    if (shard.state.isBeforeSplit) shards.splice(at, 1, ...halvesOf(shard));
    else if (descriptionOf(network, shard.state.shard)?.resharding?.isBeforeMerge) {
      shards.splice(at, 2, mergedOf(shard, shards[at + 1] as Shard));
    }
  }
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

/** What the blocks of a step announce, by shard: what is scheduled, and what was announced before and has not happened yet. */
export function announcements(network: Network, seqno: number, time: number): ReadonlyMap<Shard, Announced> {
  const scheduled = scheduledEvent(network, seqno);
  const entries = network.shards.map((shard): [Shard, Announced] => {
    const { wantsSplit = false, wantsMerge = false, window } = descriptionOf(network, shard.state.shard)?.resharding ?? {};
    const isBeforeSplit = window?.kind === "split" && isOpen(window, time);
    if (network.options.resharding === "load") return [shard, { isBeforeSplit, ...wantsByLoad(shard.state) }];
    const isScheduled = scheduled?.shards.includes(shard) === true;
    return [
      shard,
      {
        isBeforeSplit,
        wantsSplit: wantsSplit || (isScheduled && scheduled.kind === "split"),
        wantsMerge: wantsMerge || (isScheduled && scheduled.kind === "merge"),
      },
    ];
  });
  return new Map(entries);
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

function descriptionOf({ masterchain }: Pick<Network, "masterchain">, shard: ShardId): ShardDescription | undefined {
  return masterchain.state.masterchain?.shards.find((known) => isSameShard(known, shard));
}

/** A new block of a shard, with its announcements. */
export interface NewTop {
  readonly block: AssembledBlock;
  readonly announced: Announced;
}

/**
 * What the masterchain announces of each shard with its new block. A split and a merge get a time window once blocks ask for them; in the
 * window of a merge, the masterchain itself makes the blocks of both halves the last ones.
 */
export function reshardings(network: Network, tops: readonly NewTop[], time: number): (Resharding | undefined)[] {
  const windows = tops.map(({ block, announced }, i) => {
    const window = descriptionOf(network, block.id)?.resharding?.window;
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

function siblingOf(tops: readonly NewTop[], at: number): NewTop | undefined {
  const own = tops[at]?.block.id;
  const [before, after] = [tops[at - 1], tops[at + 1]];
  if (own && after && areSiblings(own, after.block.id)) return after;
  return own && before && areSiblings(before.block.id, own) ? before : undefined;
}

function newWindow(options: ChainOptions, kind: ReshardingWindow["kind"], time: number): ReshardingWindow {
  const { delay, interval } = reshardingTimings(options);
  return { kind, start: time + delay, seconds: interval };
}

function isOpen({ start, seconds }: ReshardingWindow, time: number): boolean {
  return start <= time && time < start + seconds;
}
