import { readBlockHeader } from "@chain-query/format/blocks";
import { writeBoc } from "@chain-query/format/cells";
import { lookUp, uint32Key } from "@chain-query/format/dictionaries";
import type { BlockId } from "@chain-query/format/identifiers";
import { readMasterchainParts, readState } from "@chain-query/format/states";
import { prove, proveStateHash } from "../proving/proofs.ts";
import { type Answers, type LoadedChain, refused } from "./lite-chain.ts";

/** 1.1 in the encoding of lite servers. */
const VERSION = 0x101;
/** `getMasterchainInfoExt` (2), which knows mode 1 (8). Without get methods (4). */
const CAPABILITIES = 2n | 8n;
const BLOCK_PROOFS = 1n;

/** The head, the time and the version: the first queries of a client. */
export const masterchainAnswers: Answers<"getMasterchainInfo" | "getMasterchainInfoExt" | "getTime" | "getVersion"> = {
  getMasterchainInfo: (chain) => readHead(chain, chain.head()),
  getMasterchainInfoExt: (chain, { mode }) => {
    if (mode > 1) throw refused(`unsupported getMasterchainInfoExt mode ${mode}`);
    // Mode 1 asks for a block whose shards can be read.
    const { last, ...head } = readHead(chain, mode === 1 ? chain.shardHead() : chain.head());
    const lastUtime = last.seqno === 0 ? readState(chain.state(last)).time : readBlockHeader(chain.block(last).root).time;
    return { mode, version: VERSION, capabilities: capabilitiesOf(chain), last, lastUtime, now: now(), ...head };
  },
  getTime: () => ({ now: now() }),
  getVersion: (chain) => ({ mode: 0, version: VERSION, capabilities: capabilitiesOf(chain), now: now() }),
};

function capabilitiesOf({ isSigned }: LoadedChain): bigint {
  return isSigned ? CAPABILITIES | BLOCK_PROOFS : CAPABILITIES;
}

function readHead(chain: LoadedChain, last: BlockId) {
  const { workchain, rootHash, fileHash } = chain.zeroState();
  return { last, stateRootHash: stateHash(chain, last), init: { workchain, rootHash, fileHash } };
}

/** Read from the block, because loading the state may take much longer. */
function stateHash(chain: LoadedChain, id: BlockId): Uint8Array {
  return id.seqno === 0 ? id.rootHash : readBlockHeader(chain.block(id).root).readStateHashes().newHash;
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

/** The mode that asks for the configuration of the last key block instead of the state's. */
const FROM_KEY_BLOCK = 0x8000;
const MAX_PARAMETERS = 256;

export const configAnswers: Answers<"getConfigAll" | "getConfigParams"> = {
  getConfigAll: (chain, { mode, id }) => proveConfig(chain, mode, id, undefined),
  getConfigParams: (chain, { mode, id, paramList }) => proveConfig(chain, mode, id, paramList.slice(0, MAX_PARAMETERS)),
};

/** @param parameters - Undefined for all. */
function proveConfig(chain: LoadedChain, mode: number, id: BlockId, parameters: readonly number[] | undefined) {
  if (id.workchain !== -1) {
    throw refused("configuration parameters can be loaded with respect to a masterchain block only");
  }
  if (mode & FROM_KEY_BLOCK) throw refused("this server does not give the configuration of key blocks");
  const { proof } = prove(chain.state(id), (state, keep) => {
    const { config } = readMasterchainParts(state);
    if (!parameters) keep(config);
    for (const number of parameters ?? []) {
      const value = lookUp(config, uint32Key(number >>> 0), 32)?.ref();
      if (value) keep(value);
    }
  });
  const stateProof = id.seqno === 0 ? new Uint8Array() : writeBoc(proveStateHash(chain.block(id).root));
  return { mode: mode & 0xffff, id, stateProof, configProof: writeBoc(proof) };
}
