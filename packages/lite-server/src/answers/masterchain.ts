import { readBlockHeader } from "@chain-query/format/blocks";
import type { BlockId } from "@chain-query/format/identifiers";
import { readState } from "@chain-query/format/states";
import { refused } from "../failure.ts";
import type { LoadedChain } from "../loaded-chain.ts";
import type { Answers } from "./answer.ts";

/** 1.1, as the other lite servers count. */
const VERSION = 0x101;
/** `getMasterchainInfoExt` (2), which knows mode 1 (8). Without block proofs (1) and get methods (4). */
const CAPABILITIES = 2n | 8n;

/** What a client asks first. */
export const masterchainAnswers: Answers<"getMasterchainInfo" | "getMasterchainInfoExt" | "getTime" | "getVersion"> = {
  getMasterchainInfo: (chain) => readHead(chain),
  getMasterchainInfoExt: (chain, { mode }) => {
    // Mode 1 asks for a block whose shards can be read, which is the case for every head.
    if (mode > 1) throw refused(`unsupported getMasterchainInfoExt mode ${mode}`);
    const { last, ...head } = readHead(chain);
    const lastUtime = last.seqno === 0 ? readState(chain.state(last)).time : readBlockHeader(chain.block(last).root).time;
    return { mode, version: VERSION, capabilities: CAPABILITIES, last, lastUtime, now: now(), ...head };
  },
  getTime: () => ({ now: now() }),
  getVersion: () => ({ mode: 0, version: VERSION, capabilities: CAPABILITIES, now: now() }),
};

function readHead(chain: LoadedChain) {
  const last = chain.head();
  const { workchain, rootHash, fileHash } = chain.zeroState();
  return { last, stateRootHash: stateHash(chain, last), init: { workchain, rootHash, fileHash } };
}

/** From the block: its state may take much longer to load. */
function stateHash(chain: LoadedChain, id: BlockId): Uint8Array {
  return id.seqno === 0 ? id.rootHash : readBlockHeader(chain.block(id).root).readStateHashes().newHash;
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
