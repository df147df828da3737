/** Reads of blocks through the pool, from a simulated server of a sample chain. */
import { beforeEach, expect, test } from "vitest";
import { findBlock, readHistory, readProvedHeader } from "../../src/read/blocks.ts";
import { type ReadContext, readContext } from "../../src/read/read-context.ts";
import { MASTER, sampleChain } from "../proof/sample-chain.ts";
import { elapse, SimulatedNetwork, useVirtualClock } from "../servers/simulated-network.ts";

const chain = sampleChain(6);
const [before, at] = [chain.block(MASTER, 2), chain.block(MASTER, 6)];

let network: SimulatedNetwork;
let context: ReadContext;

useVirtualClock();
beforeEach(async () => {
  network = new SimulatedNetwork([{}]);
  network.tips[0] = at.id;
  network.answer = chain.answer;
  context = readContext(network.pool, at.id, false, new AbortController().signal);
  await elapse(readProvedHeader(context, at.id));
});

test.each([
  ["after", async () => [await lookUp(), await history()]],
  ["during", () => Promise.all([lookUp(), history()])],
  ["before", () => Promise.all([history(), lookUp()]).then((both) => both.toReversed())],
])("a history that is read %s a look-up of its ancestor shares no result with it", async (_, read) => {
  const [found, proved] = await elapse(read());
  expect(found).toMatchObject({ id: before.id, time: before.time });
  expect(proved).toMatchObject({ block: { id: at.id, time: at.time }, ancestor: before.id });
});

function lookUp() {
  return findBlock(context, MASTER, { seqno: before.id.seqno });
}

function history() {
  return readHistory(context, before.id.seqno);
}
