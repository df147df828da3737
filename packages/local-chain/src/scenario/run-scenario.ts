import { isDeepStrictEqual } from "node:util";
import { CellBuilder } from "@chain-query/format/cells";
import { coinsOnly } from "@chain-query/format/currencies";
import type { AccountId } from "@chain-query/format/identifiers";
import { COIN, EXTRA_CURRENCY } from "../genesis/accounts.ts";
import { createChain } from "../genesis/create-chain.ts";
import { chainOptions } from "../genesis/options.ts";
import { openProducer, type ProducedStep, type Producer } from "../production/producer.ts";
import { seededRandom } from "../random.ts";
import { encryptedComment, textComment } from "../traffic/messages.ts";
import { FIRST_WALLETS, LATER_WALLETS, order, type ScenarioAccounts, scenarioAccounts } from "./accounts.ts";

/** Seconds from one step to the next. */
const INTERVAL = 120;
const WEEK = 7 * 86_400;
/** The most steps that are stored at once. */
const MAX_BATCH = 70;

const options = chainOptions({
  seed: 7n,
  // 2026-01-01T00:00:00Z.
  startTime: 1_767_225_600,
  accounts: FIRST_WALLETS,
  shards: 2,
  // Four splits, four merges, and a split two blocks before the head, which has three shards.
  resharding: 93,
  // The first one comes after Alice's transactions, so that all of them have the same price of gas.
  keyBlocks: 800,
  burnedFees: 50,
  blockInterval: INTERVAL,
  // The scenario itself has no traffic. If the chain is continued, its traffic does not change the accounts of Alice, Carol and Dave.
  rate: 5,
  reserved: LATER_WALLETS,
  // The scenario stays in the history of a chain that is continued months later.
  retentionSeconds: 4_000_000_000,
});

/** Masterchain seqnos of the events. The steps between them are empty: one every two minutes, 28 hours until the head. */
export interface ScenarioSteps {
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

export const SCENARIO_STEPS: ScenarioSteps = {
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

/** The ids of the accounts. */
export type AccountFixtures = Readonly<Record<keyof ScenarioAccounts, AccountId>>;

/** Called after each step of `SCENARIO_STEPS`. The chain can be read until the promise resolves. */
type OnScenarioStep = (step: keyof ScenarioSteps, accounts: AccountFixtures) => Promise<void>;

/**
 * Creates the chain of the scenario, without blocks. `continueScenario` makes them.
 *
 * @param directory - A folder that does not exist yet, or is empty.
 * @throws ChainStoreError if the folder is not empty or cannot be written.
 *
 * @example
 * await createScenario("my-chain");
 */
export function createScenario(directory: string): Promise<void> {
  return createChain(directory, options);
}

/**
 * Makes the missing blocks of the scenario, up to its head. Makes no blocks on other chains.
 *
 * @example
 * const producer = await openProducer("my-chain");
 * for await (const { seqno } of continueScenario(producer)) console.log(`${seqno} of ${SCENARIO_STEPS.head}`);
 */
export async function* continueScenario(producer: Producer): AsyncGenerator<ProducedStep, void, undefined> {
  if (!isDeepStrictEqual(producer.options, options) || producer.head.seqno >= SCENARIO_STEPS.head) return;
  const messages = new Map(events(scenarioAccounts(options.seed)));
  const named = Object.values(SCENARIO_STEPS);
  while (producer.head.seqno < SCENARIO_STEPS.head) {
    const { seqno, time } = producer.head;
    // A batch ends with a named step, so that the chain can be read after it.
    const end = Math.min(seqno + MAX_BATCH, ...named.filter((step) => step > seqno));
    const batch = Array.from({ length: end - seqno }, (_, i) => ({
      time: time + (i + 1) * INTERVAL,
      rate: 0,
      messages: messages.get(seqno + 1 + i) ?? [],
    }));
    yield* await producer.steps(batch);
  }
}

/**
 * Makes the small chain from which the contract's examples are read: five accounts that exchange messages, in two to six shards, with a
 * block every two minutes for 28 hours, and one a week later.
 *
 * @param directory - A folder that does not exist yet, or is empty.
 * @param onStep - Called after each named step, in order.
 * @throws ChainStoreError if the folder is not empty or cannot be written.
 *
 * @example
 * const { alice } = await runScenario("my-chain");
 * const chain = openChain("my-chain");
 * console.log(chain.account(alice)?.balance);
 */
export async function runScenario(directory: string, onStep?: OnScenarioStep): Promise<AccountFixtures> {
  const { alice, bob, carol, dave, erin } = scenarioAccounts(options.seed);
  const accounts = { alice: alice.id, bob: bob.id, carol, dave, erin: erin.id };
  const names = new Map(Object.entries(SCENARIO_STEPS).map(([name, seqno]) => [seqno, name as keyof ScenarioSteps]));
  const reached = async ({ seqno }: ProducedStep): Promise<void> => {
    const name = names.get(seqno);
    if (name !== undefined) await onStep?.(name, accounts);
  };
  await createScenario(directory);
  const producer = await openProducer(directory);
  try {
    for await (const step of continueScenario(producer)) await reached(step);
    await reached(await producer.step({ time: producer.head.time + WEEK, rate: 0 }));
  } finally {
    await producer.close();
  }
  return accounts;
}

/** External messages by the step that executes them. */
function events({ alice, bob, carol, dave, erin }: ScenarioAccounts): [seqno: number, messages: Uint8Array[]][] {
  const { gift, thanks, change, welcome, points, head } = SCENARIO_STEPS;
  const at = (step: number) => ({ validUntil: options.startTime + (step + 10) * INTERVAL });
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
            // The random bytes of the examples depend on this label.
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
