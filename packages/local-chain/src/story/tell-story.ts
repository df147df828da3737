import { CellBuilder } from "@chain-query/format/cells";
import { coinsOnly } from "@chain-query/format/currencies";
import type { AccountId } from "../domain.ts";
import { COIN, EXTRA_CURRENCY } from "../genesis/accounts.ts";
import { createChain } from "../genesis/create-chain.ts";
import { openProducer } from "../production/producer.ts";
import { encryptedComment, textComment } from "../traffic/bodies.ts";
import { seededRandom } from "../traffic/random.ts";
import { type Cast, castOf, FIRST_WALLETS, order } from "./cast.ts";

const SEED = 7n;
/** 2026-01-01T00:00:00Z. */
const START = 1_767_225_600;
/** Seconds from one step to the next. */
const INTERVAL = 120;
const WEEK = 7 * 86_400;
/** Traffic of whoever goes on with the chain; there is none while the story is told. */
const RATE = 5;

/** Masterchain seqnos of what happens in the story. Between them nothing does: one step every two minutes, 28 hours up to the head. */
export interface Chapters {
  /** The chain has one block. */
  readonly young: number;
  /** Bob sends Alice coins; her account holds them one step later, without a wallet. */
  readonly gift: number;
  /** Alice deploys her wallet and thanks Bob with a transfer. */
  readonly thanks: number;
  /** Bob sends some of it back, with a comment that only Alice can read. */
  readonly change: number;
  /** Alice sends Carol coins, and Dave, whose account freezes over it, a question. */
  readonly welcome: number;
  /** Bob sends Alice coins and points, with a body of some protocol. */
  readonly points: number;
  /** Nothing waits in any queue. */
  readonly idle: number;
  /** Messages from Bob to Alice and from Erin to Bob have been sent and wait. The examples call this the head. */
  readonly head: number;
  /** A week after the head: what came before is archival. */
  readonly later: number;
}

/** Of the story that `tellStory` tells. */
export const CHAPTERS: Chapters = {
  young: 1,
  gift: 12,
  thanks: 217,
  change: 411,
  welcome: 600,
  points: 777,
  idle: 839,
  head: 840,
  later: 841,
};

/** The people of the story as accounts. */
export type Characters = Readonly<Record<keyof Cast, AccountId>>;

/** Is told that the chain has come to a chapter, and waited for; the chain may be read meanwhile. */
export type OnChapter = (chapter: keyof Chapters, characters: Characters) => Promise<void>;

/**
 * Makes a small chain on which a story happens: five people, two shards, a block of each every two minutes for 28 hours. The contract's examples
 * are read from it. Whoever goes on with it finds the usual traffic.
 *
 * @param directory - A folder that does not exist yet, or is empty.
 * @param onChapter - Called at each chapter, in their order.
 * @returns The people's accounts.
 * @throws ChainStoreError where the folder holds something, or cannot be written.
 *
 * @example
 * const { alice } = await tellStory("story");
 * const chain = openChain("story");
 * console.log(chain.account(alice)?.balance);
 */
export async function tellStory(directory: string, onChapter?: OnChapter): Promise<Characters> {
  const cast = castOf(SEED);
  const { alice, bob, carol, dave, erin } = cast;
  const characters = { alice: alice.id, bob: bob.id, carol, dave, erin: erin.id };
  await createChain(directory, {
    seed: SEED,
    startTime: START,
    accounts: FIRST_WALLETS,
    shards: 2,
    blockInterval: INTERVAL,
    rate: RATE,
  });
  const producer = await openProducer(directory);
  try {
    const sent = new Map(happenings(cast));
    for (const [chapter, seqno] of Object.entries(CHAPTERS) as [keyof Chapters, number][]) {
      while (producer.head.seqno < seqno) {
        const { seqno: last, time } = producer.head;
        const wait = last + 1 === CHAPTERS.later ? WEEK : INTERVAL;
        await producer.step({ time: time + wait, rate: 0, messages: sent.get(last + 1) ?? [] });
      }
      await onChapter?.(chapter, characters);
    }
  } finally {
    await producer.close();
  }
  return characters;
}

/** What somebody sends from outside, by the step that takes it. */
function happenings({ alice, bob, carol, dave, erin }: Cast): [seqno: number, messages: Uint8Array[]][] {
  const { gift, thanks, change, welcome, points, head } = CHAPTERS;
  const at = (chapter: number) => ({ validUntil: START + (chapter + 10) * INTERVAL });
  return [
    [gift, [order(bob, { ...at(gift), seqno: 0 }, [{ to: alice.id, value: coinsOnly(12n * COIN), bounce: false }])]],
    [
      thanks,
      [
        order(alice, { ...at(thanks), seqno: 0, deploys: true }, [
          { to: bob.id, value: coinsOnly((7n * COIN) / 2n), bounce: true, body: textComment("Thanks for the coffee") },
        ]),
      ],
    ],
    [
      change,
      [
        order(bob, { ...at(change), seqno: 1 }, [
          { to: alice.id, value: coinsOnly(COIN / 4n), bounce: true, body: encryptedComment(seededRandom(SEED, "story")) },
        ]),
      ],
    ],
    [
      welcome,
      [
        order(alice, { ...at(welcome), seqno: 1 }, [
          { to: carol, value: coinsOnly(2n * COIN), bounce: false, body: textComment("Welcome, Carol") },
          { to: dave, value: coinsOnly(COIN / 1_000n), bounce: false, body: protocolBody(1n, "Is anyone home?") },
        ]),
      ],
    ],
    [
      points,
      [
        order(bob, { ...at(points), seqno: 2 }, [
          {
            to: alice.id,
            value: { coins: (3n * COIN) / 4n, extra: [{ id: EXTRA_CURRENCY, amount: 2_500n }] },
            bounce: true,
            body: protocolBody(2n, "2500 points for you"),
          },
        ]),
      ],
    ],
    [
      head,
      [
        order(bob, { ...at(head), seqno: 3 }, [
          { to: alice.id, value: coinsOnly(COIN / 10n), bounce: true, body: textComment("One more") },
        ]),
        order(erin, { ...at(head), seqno: 0 }, [
          { to: bob.id, value: coinsOnly(COIN / 2n), bounce: true, body: textComment("Dinner?") },
        ]),
      ],
    ],
  ];
}

const PROTOCOL = 0x5afe_0001;

/** A body that is no comment: an op of a protocol, a query id, and a reference. */
function protocolBody(query: bigint, text: string): ReturnType<typeof textComment> {
  const rest = new CellBuilder().bytes(Buffer.from(text, "utf8")).cell();
  return new CellBuilder().uint(PROTOCOL, 32).bigUint(query, 64).ref(rest).cell();
}
