/** The heads so far, and the search for refused forks, with simulated proofs, on a virtual clock. */

import { expect, test, vi } from "vitest";
import { AcceptedHeads } from "../../src/head/heads.ts";
import { RefusedForks } from "../../src/head/refused-forks.ts";
import { LiteError } from "../../src/wire/lite-error.ts";
import { block, SimulatedNetwork, useVirtualClock } from "../servers/simulated-network.ts";

useVirtualClock();

const facts = { time: 0, endLt: 0n, stateRootHash: new Uint8Array(32) };

test("the newest 2,048 heads are known", () => {
  const heads = new AcceptedHeads();
  for (let seqno = 1; seqno <= 3_000; seqno++) heads.add({ block: { ...block(1), seqno }, ...facts });
  expect([heads.last, heads.get(953), heads.get(952)].map((head) => head?.block.seqno)).toEqual([3_000, 953, undefined]);
});

test("a proof that does not end is given up after an hour, and when the client is closed", async () => {
  const network = new SimulatedNetwork([{}, {}]);
  const { servers } = network;
  await network.close();
  const accepted = new AcceptedHeads();
  accepted.add({ block: block(12), ...facts });
  const proofs: AbortSignal[] = [];
  const refused = new RefusedForks(
    {
      trusted: block(0),
      read: async (id, seqno) => ({ head: { block: id, ...facts }, ancestor: block(seqno ?? 0, 2) }),
      prove: (_server, _trusted, _block, _onProgress, signal) => {
        proofs.push(signal);
        return Promise.withResolvers<never>().promise;
      },
      onEvent: () => expect.unreachable(),
    },
    accepted,
  );
  const closing = new AbortController();
  const reviews = servers.map((server) => refused.review(server, block(13, 2), closing.signal));
  await vi.advanceTimersByTimeAsync(3_500_000);
  expect(proofs.map(({ aborted }) => aborted)).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(100_000);
  await Promise.all(reviews);
  expect(proofs.map(({ aborted }) => aborted)).toEqual([true, true]);
  await vi.advanceTimersByTimeAsync(20 * 3_600_000);
  const last = refused.review(servers[0] ?? expect.unreachable(), block(13, 2), closing.signal);
  closing.abort(new LiteError("unavailable", "the client is closed"));
  await last;
  expect(proofs.map(({ aborted }) => aborted)).toEqual([true, true, true]);
});
