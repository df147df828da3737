/** Compares the reader of PostgreSQL with the LMDB store. */
import type { BlockHeader, MessageKey } from "@chain-query/format/store";
import type { MadeChainOptions } from "@chain-query/local-chain/testing";
import { FROZEN } from "@chain-query/testing/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReadChain, startReadChain } from "./indexed-chains.ts";

/** The compared heads and rows. */
interface ParityOptions {
  /** Default: a chain whose accounts freeze and are deleted. */
  readonly chain?: MadeChainOptions;
  readonly heads: readonly number[];
  /** Compares one of this many accounts, messages and blocks. */
  readonly sample: number;
}

export function describeParity({ chain = FROZEN, heads, sample }: ParityOptions): void {
  let read: ReadChain;
  beforeAll(async () => {
    read = await startReadChain(chain);
  });
  afterAll(() => read?.[Symbol.asyncDispose]());

  /** The sample differs by head. */
  function sampled<T>(all: readonly T[], at: number): T[] {
    return all.filter((_, index) => (index + at) % sample === 0);
  }

  describe("as of a head, the reader finds the data of the LMDB store", () => {
    test.each(heads)("accounts and their histories at %d", async (at) => {
      const compare = sampled(read.accounts, at).map(async (account) => {
        const {
          block: _,
          account: __,
          isSuspended: ___,
          ...expected
        } = read.chain.account(account, at) ?? expect.unreachable();
        expect(await read.reader.account(account, at)).toEqual(expected);
        const { lt } = expected.last;
        const history = lt === 0n ? [] : [...read.chain.transactions(account, { fromLt: lt })].slice(0, 7);
        expect(await read.reader.transactions(account, { aboveLt: 0n }, 7, at)).toEqual(history);
      });
      await Promise.all(compare);
    });

    test.each(heads)("both ends of messages at %d", async (at) => {
      const visible = <T extends { readonly masterchainSeqno: number }>(one: T | undefined) =>
        one && one.masterchainSeqno <= at ? one : undefined;
      const compare = sampled(messages(), at).flatMap(async (message) => {
        expect(await read.reader.findSender(message, at)).toEqual(visible(read.chain.findSender(message)));
        expect(await read.reader.findReceiver(message, at)).toEqual(visible(read.chain.findReceiver(message)));
      });
      await Promise.all(compare);
    });

    test.each(heads)("blocks by number, logical time and time at %d", async (at) => {
      const ids = read.chain
        .shards()
        .flatMap(({ id }) => Array.from({ length: id.seqno + 2 }, (_, seqno) => ({ ...id, seqno })));
      const compare = sampled(ids, at).map(async ({ seqno, ...shard }) => {
        const block = seqno === 0 ? undefined : read.chain.block(shard, { seqno });
        const [lt, time] = [block?.endLt ?? 0n, block?.time ?? 0];
        for (const selector of [{ seqno }, { lt }, { lt: lt + 1n }, { time }, { time: time + 1 }]) {
          const expected = read.chain.block(shard, selector);
          expect(await read.reader.block(shard, selector, at)).toEqual(isAt(expected, at) ? expected : undefined);
        }
      });
      await Promise.all(compare);
    });
  });

  function isAt(block: BlockHeader | undefined, at: number): boolean {
    return block !== undefined && block.masterchainSeqno <= at;
  }

  /** Every fifth message between accounts, and a missing message for each. */
  function messages(): MessageKey[] {
    const sent = read.transactions.flatMap(({ outMessages }) =>
      outMessages.flatMap(({ source, destination, createdLt }) =>
        source && destination ? [{ source, destination, createdLt }] : [],
      ),
    );
    return sent.filter((_, index) => index % 5 === 0).flatMap((one) => [one, { ...one, createdLt: one.createdLt + 1n }]);
  }
}
