/** A client's head over simulated servers and proofs, on the virtual clock of the test. */

import { pause } from "@chain-query/format/async";
import type { BlockId } from "@chain-query/format/identifiers";
import { onTestFinished, vi } from "vitest";
import type { ProveHead, ReadHead } from "../../src/head/heads.ts";
import type { SignedForkStore } from "../../src/head/signed-fork.ts";
import { SignedHead } from "../../src/head/signed-head.ts";
import type { LiteEvent } from "../../src/servers/events.ts";
import { LiteError } from "../../src/wire/lite-error.ts";
import { block, SimulatedNetwork } from "../servers/simulated-network.ts";

type Behaviour = "honest" | "refuses" | "wrong" | "slow" | "stalls" | "drips" | "dripsFast";

export interface Followed {
  readonly network: SimulatedNetwork;
  readonly tip: SignedHead;
  readonly proofs: { readonly at: number; readonly server: string; readonly from: number; readonly to: number }[];
  /** Seqnos of key blocks. */
  readonly kept: number[];
  readonly events: LiteEvent[];
  readonly behaviours: Behaviour[];
}

/** Servers whose blocks of chain 1 are signed, and of chain 2 if `isForkSigned`. A key block is each tenth one. */
export async function follow(
  tips: readonly BlockId[],
  options: {
    readonly isForkSigned?: boolean;
    readonly trusted?: number;
    readonly slowAnswers?: number;
    /** Servers that prove one key block in two seconds. */
    readonly slow?: readonly number[];
    /** Servers that never prove anything. */
    readonly silent?: readonly number[];
    /** Servers that connect after a second. */
    readonly late?: readonly number[];
    /** Servers that report a block a second after they are ready. */
    readonly quiet?: readonly number[];
    readonly forks?: SignedForkStore;
    readonly anchorFile?: string;
    readonly preferred?: readonly string[];
    /** The server whose blocks become the head without proofs. */
    readonly headFrom?: number;
  } = {},
): Promise<Followed> {
  const network = new SimulatedNetwork(tips.map((_, index) => (options.late?.includes(index) ? { connectDelay: 1_000 } : {})));
  const proofs: Followed["proofs"] = [];
  const kept: number[] = [];
  const events: LiteEvent[] = [];
  const behaviours: Behaviour[] = tips.map((_, index) => {
    if (options.silent?.includes(index)) return "stalls";
    return options.slow?.includes(index) ? "slow" : "honest";
  });
  for (const [index, tip] of tips.entries()) network.tips[index] = tip;
  const prove: ProveHead = async (server, trusted, target, onProgress, signal) => {
    proofs.push({ at: performance.now(), server: server.name, from: trusted.seqno, to: target.seqno });
    const behaviour = behaviours[Number(server.name.slice(1))];
    if (behaviour === "stalls") await pause(1_000_000, signal);
    // Signed blocks after the key block, each just within the time for an answer.
    for (let seqno = trusted.seqno + 1; behaviour?.startsWith("drips") && !signal.aborted; seqno++) {
      await pause(behaviour === "drips" ? 2_900 : 1_000, signal);
      onProgress({ block: block(seqno), signatures: 3 });
    }
    signal.throwIfAborted();
    // A server of chain 2 does not have the key blocks of chain 1.
    const isUnknown = target.rootHash[0] === 2 && trusted.rootHash[0] !== 2 && trusted.seqno > 5;
    if (behaviour === "refuses" || isUnknown) throw new LiteError("refused", "the block is not in the db", { code: 651 });
    if (behaviour === "wrong" || (target.rootHash[0] === 2 && !options.isForkSigned)) {
      server.quarantine("the signature is invalid", new Uint8Array(), new Uint8Array());
      throw new LiteError("unavailable", "no lite server gave a valid answer");
    }
    for (let { seqno } = trusted; behaviour === "slow" && seqno + 10 <= target.seqno; ) {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      signal.throwIfAborted();
      seqno += 10;
      onProgress({ block: block(seqno), keyBlock: block(seqno), signatures: 3 });
    }
    for (let seqno = 10; seqno <= 10 * (options.slowAnswers ?? 0); seqno += 10) {
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      onProgress({ block: block(seqno), keyBlock: block(seqno), signatures: seqno });
    }
    const keyBlock = block(10 * Math.floor(target.seqno / 10));
    onProgress({ block: keyBlock, keyBlock, signatures: 3 });
    return { block: target, keyBlock, signatures: 4 };
  };
  const read: ReadHead = (...tip) => network.readHead(...tip);
  const { servers } = network;
  const context = {
    servers,
    trusted: block(options.trusted ?? 0),
    read,
    prove,
    keep: ({ seqno }: BlockId) => kept.push(seqno),
    ...{ forks: options.forks, anchorFile: options.anchorFile, preferred: options.preferred },
    headFrom: options.headFrom === undefined ? undefined : servers[options.headFrom],
  };
  const tip = new SignedHead({ ...context, onEvent: (event) => events.push(event) });
  network.onBlock = (server, id) => {
    if (options.quiet?.includes(servers.indexOf(server))) setTimeout(() => tip.note(server, id), 1_000);
    else tip.note(server, id);
  };
  await vi.advanceTimersByTimeAsync(200);
  onTestFinished(() => tip.close());
  return { network, tip, proofs, kept, events, behaviours };
}
