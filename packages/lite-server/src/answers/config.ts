import { writeBoc } from "@chain-query/format/cells";
import { lookUp, uint32Key } from "@chain-query/format/dictionaries";
import type { BlockId } from "@chain-query/format/identifiers";
import { readMasterchainParts } from "@chain-query/format/states";
import { refused } from "../failure.ts";
import type { LoadedChain } from "../loaded-chain.ts";
import { prove, proveStateHash } from "../proofs.ts";
import type { Answers } from "./answer.ts";

/** The mode that asks for the configuration of the last key block instead of the state's. */
const FROM_KEY_BLOCK = 0x8000;
/** Parameters in one request. */
const MAX_PARAMETERS = 256;

/** The configuration as of a masterchain block. */
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
