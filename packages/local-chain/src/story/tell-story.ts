import { isDeepStrictEqual } from "node:util";
import { CellBuilder } from "@chain-query/format/cells";
import { coinsOnly } from "@chain-query/format/currencies";
import type { AccountId } from "@chain-query/format/identifiers";
import { COIN, EXTRA_CURRENCY } from "../genesis/accounts.ts";
import { createChain } from "../genesis/create-chain.ts";
import { chainOptions } from "../genesis/options.ts";
import { openProducer } from "../open-producer.ts";
import type { ProducedStep, Producer } from "../production/producer.ts";
import { seededRandom } from "../random.ts";
import { encryptedComment, textComment } from "../traffic/messages.ts";
import { type Cast, castOf, FIRST_WALLETS, LATER_WALLETS, order } from "./cast.ts";

/** Seconds from one step to the next. */
const INTERVAL = 120;
const WEEK = 7 * 86_400;
/** Steps that are stored at once. */
const LONGEST_PART = 70;

const options = chainOptions({
  seed: 7n,
  // 2026-01-01T00:00:00Z.
  startTime: 1_767_225_600,
  accounts: FIRST_WALLETS,
  shards: 2,
  blockInterval: INTERVAL,
  // The story itself has no traffic. If the chain is continued, its traffic leaves Alice, Carol and Dave as the story left them.
  rate: 5,
  reserved: LATER_WALLETS,
  // A chain that is continued months later still shows the story as its history.
  retentionSeconds: 4_000_000_000,
});

/** Masterchain seqnos of the events. The steps between them are empty: one every two minutes, 28 hours until the head. */
export interface Chapters {
  /** The chain has one block. */
  readonly young: number;
  /** Bob sends coins to Alice; her account has them one step later, without a wallet. */
  readonly gift: number;
  /** Alice deploys her wallet and thanks Bob with a transfer. */
  readonly thanks: number;
  /** Bob sends some of it back, with an encrypted comment. */
  readonly change: number;
  /** Alice sends coins to Carol, and a question to Dave, whose account freezes. */
  readonly welcome: number;
  /** Bob sends coins and an extra currency to Alice, with a body of an unknown protocol. */
  readonly points: number;
  /** All queues are empty. */
  readonly idle: number;
  /** Messages between Bob and Erin wait in queues. This is the head in the contract's examples. */
  readonly head: number;
  /** A week after the head. */
  readonly later: number;
}

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

/** The accounts of the story. */
export type Characters = Readonly<Record<keyof Cast, AccountId>>;

/** Called when the chain has reached a chapter. The chain can be read until the promise resolves. */
export type OnChapter = (chapter: keyof Chapters, characters: Characters) => Promise<void>;

/**
 * Creates the chain of the story, without blocks. `continueStory` makes them.
 *
 * @param directory - A folder that does not exist yet, or is empty.
 * @throws ChainStoreError if the folder is not empty or cannot be written.
 *
 * @example
 * await createStory("story");
 */
export function createStory(directory: string): Promise<void> {
  return createChain(directory, options);
}

/**
 * Makes the blocks of the story up to its head that a chain does not have yet. Makes none on other chains.
 *
 * @example
 * const producer = await openProducer("story");
 * for await (const { seqno } of continueStory(producer)) console.log(`${seqno} of ${CHAPTERS.head}`);
 */
export async function* continueStory(producer: Producer): AsyncGenerator<ProducedStep, void, undefined> {
  if (!isDeepStrictEqual(producer.options, options) || producer.head.seqno >= CHAPTERS.head) return;
  const sent = new Map(events(castOf(options.seed)));
  const ends = Object.values(CHAPTERS);
  while (producer.head.seqno < CHAPTERS.head) {
    const { seqno, time } = producer.head;
    // A part ends with a chapter: it can be read when its step is yielded.
    const end = Math.min(seqno + LONGEST_PART, ...ends.filter((chapter) => chapter > seqno));
    const part = Array.from({ length: end - seqno }, (_, i) => ({
      time: time + (i + 1) * INTERVAL,
      rate: 0,
      messages: sent.get(seqno + 1 + i) ?? [],
    }));
    yield* await producer.steps(part);
  }
}

/**
 * Makes the small chain from which the contract's examples are read: five accounts that exchange messages, in two shards, with a block
 * every two minutes for 28 hours, and one a week later.
 *
 * @param directory - A folder that does not exist yet, or is empty.
 * @param onChapter - Called at each chapter, in order.
 * @throws ChainStoreError if the folder is not empty or cannot be written.
 *
 * @example
 * const { alice } = await tellStory("story");
 * const chain = openChain("story");
 * console.log(chain.account(alice)?.balance);
 */
export async function tellStory(directory: string, onChapter?: OnChapter): Promise<Characters> {
  const { alice, bob, carol, dave, erin } = castOf(options.seed);
  const characters = { alice: alice.id, bob: bob.id, carol, dave, erin: erin.id };
  const chapters = new Map(Object.entries(CHAPTERS).map(([chapter, seqno]) => [seqno, chapter as keyof Chapters]));
  const reached = async ({ seqno }: ProducedStep): Promise<void> => {
    const chapter = chapters.get(seqno);
    if (chapter !== undefined) await onChapter?.(chapter, characters);
  };
  await createStory(directory);
  const producer = await openProducer(directory);
  try {
    for await (const step of continueStory(producer)) await reached(step);
    await reached(await producer.step({ time: producer.head.time + WEEK, rate: 0 }));
  } finally {
    await producer.close();
  }
  return characters;
}

/** External messages by the step that executes them. */
function events({ alice, bob, carol, dave, erin }: Cast): [seqno: number, messages: Uint8Array[]][] {
  const { gift, thanks, change, welcome, points, head } = CHAPTERS;
  const at = (chapter: number) => ({ validUntil: options.startTime + (chapter + 10) * INTERVAL });
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
          {
            to: alice.id,
            value: coinsOnly(COIN / 4n),
            bounce: true,
            body: encryptedComment(seededRandom(options.seed, "story")),
          },
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
          { to: erin.id, value: coinsOnly(COIN / 10n), bounce: true, body: textComment("Lunch?") },
        ]),
        order(erin, { ...at(head), seqno: 0 }, [
          { to: bob.id, value: coinsOnly(COIN / 2n), bounce: true, body: textComment("Dinner?") },
        ]),
      ],
    ],
  ];
}

const PROTOCOL = 0x5afe_0001;

/** A body that is not a comment: an op, a query id, and a reference. */
function protocolBody(query: bigint, text: string): ReturnType<typeof textComment> {
  const rest = new CellBuilder().bytes(Buffer.from(text, "utf8")).cell();
  return new CellBuilder().uint(PROTOCOL, 32).bigUint(query, 64).ref(rest).cell();
}
