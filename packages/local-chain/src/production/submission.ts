import { readBoc } from "@chain-query/format/cells";
import { containsAccount } from "@chain-query/format/identifiers";
import { readMessageParts } from "@chain-query/format/messages";
import type { AccountId } from "../domain.ts";
import { allShards, type Network } from "./network.ts";
import type { WaitingMessage } from "./pool.ts";

/**
 * Messages from outside that somebody hands to the network, numbered after all that came before.
 *
 * @param bocs - TL-B Message ext_in_msg_info, each a bag of cells.
 * @throws RangeError at the first that is none, or is for an account outside of this network. Nothing is numbered then.
 */
export function submitted(network: Network, bocs: readonly Uint8Array[]): WaitingMessage[] {
  const destinations = bocs.map((boc, index) => destinationOf(network, boc, index));
  return bocs.map((boc, index) => ({ number: network.counters.messages++, to: destinations[index] as AccountId, boc }));
}

function destinationOf(network: Network, boc: Uint8Array, index: number): AccountId {
  const { kind, destination } = partsOf(boc, index);
  if (kind !== "external-in" || destination === undefined) {
    throw new RangeError(`message ${index} is ${kind}: a message from outside to an account is accepted`);
  }
  if (!allShards(network).some(({ state }) => containsAccount(state.shard, destination))) {
    throw new RangeError(`message ${index} is for workchain ${destination.workchain}: -1 and 0 are accepted`);
  }
  return destination;
}

function partsOf(boc: Uint8Array, index: number): ReturnType<typeof readMessageParts> {
  try {
    return readMessageParts(readBoc(boc));
  } catch (cause) {
    throw new RangeError(`message ${index} is no message in a bag of cells`, { cause });
  }
}
