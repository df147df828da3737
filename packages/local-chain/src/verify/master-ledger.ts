import { hex } from "@chain-query/format/cells";
import { blockName, isSameShard } from "@chain-query/format/identifiers";
import type { BlockHeader } from "@chain-query/format/store";
import type { StoredGenesis } from "../store/records.ts";
import { knownHeader } from "../store/store-contents.ts";
import type { Tables } from "../store/tables.ts";
import { type CheckedBlock, checkRef } from "./block-check.ts";
import { must } from "./fault.ts";

/** Follows the references to the masterchain: each shard block has one, to a former block, and never before that of its previous block. */
interface MasterLedger {
  /** Adds a block of the step of a masterchain block. */
  follow(block: CheckedBlock, seqno: number): void;
  /** Ends a step, with the newest block of each shard. */
  settle(tips: readonly BlockHeader[]): void;
}

export function masterLedger(tables: Tables, genesis: StoredGenesis): MasterLedger {
  /** Number of the masterchain block, by the root hash of the block that refers to it. */
  let known = new Map<string, number>();

  return {
    follow: ({ header, info: { master, previous, mergedWith } }, seqno) => {
      const name = () => `block ${blockName(header.id)}`;
      const isMaster = isSameShard(header.id, genesis.masterchain);
      must(
        isMaster === (master === undefined),
        () => `${name()} ${isMaster ? "refers" : "does not refer"} to a masterchain block`,
      );
      if (!master) return;
      const refers = () => `${name()} refers to masterchain block ${master.seqno}`;
      must(master.seqno < seqno, () => `${refers()}, which is not before ${seqno}`);
      for (const before of mergedWith ? [previous, mergedWith] : [previous]) {
        const former = known.get(hex(before.rootHash)) ?? 0;
        must(master.seqno >= former, () => `${refers()}, and the block before it to ${former}`);
      }
      const named = knownHeader(tables, genesis, genesis.masterchain, master.seqno);
      checkRef(master, named, () => `masterchain block that ${name()} refers to`);
      known.set(hex(header.id.rootHash), master.seqno);
    },
    settle: (tips) => {
      const names = tips.map(({ id }) => hex(id.rootHash));
      known = new Map(names.map((name) => [name, known.get(name) ?? 0]));
    },
  };
}
