import { readBlockConfig } from "@chain-query/format/blocks";
import { type BlockId, blockName } from "@chain-query/format/identifiers";
import { readKeyBlocks, readMasterchainParts } from "@chain-query/format/states";
import { type CheckedBlock, stateAfter } from "./block-check.ts";
import { must, mustEqual } from "./fault.ts";

/** Follows the configuration from genesis: it changes in key blocks only, and states and later blocks name them. */
interface KeyBlockLedger {
  /** Adds a block. The masterchain's is the last one of a step. */
  follow(block: CheckedBlock): void;
}

export function keyBlockLedger(tables: Parameters<typeof stateAfter>[0], genesis: BlockId): KeyBlockLedger {
  const configAfter = (id: BlockId): Uint8Array => readMasterchainParts(stateAfter(tables, id)).config.hashAt(0);
  let config = configAfter({ ...genesis, seqno: 0 });
  /** By rising number. */
  const keys: Pick<BlockId, "seqno" | "rootHash" | "fileHash">[] = [genesis];

  const checkMaster = ({ root, header: { id }, info }: CheckedBlock): void => {
    const name = () => `block ${blockName(id)}`;
    const { isAfterKeyBlock, lastKeyBlock } = readKeyBlocks(stateAfter(tables, id));
    mustEqual(isAfterKeyBlock, info.isKey, () => `flag after_key_block of the state after ${name()}`);
    mustEqual(lastKeyBlock?.rootHash, keys.at(-1)?.rootHash, () => `last key block in the state after ${name()}`);
    const stated = readBlockConfig(root);
    const next = configAfter(id);
    must((stated !== undefined) === info.isKey, () => `${name()} must have a configuration if and only if it is a key block`);
    mustEqual(stated?.hash ?? config, next, () => `hash of the configuration after ${name()}`);
    config = next;
    if (info.isKey) keys.push(id);
  };

  return {
    follow: (block) => {
      const { info, header } = block;
      const newest = keys.findLast(({ seqno }) => seqno <= (info.master?.seqno ?? header.id.seqno - 1));
      mustEqual(info.previousKeySeqno, newest?.seqno, () => `key block before block ${blockName(header.id)}`);
      if (!info.master) checkMaster(block);
    },
  };
}
