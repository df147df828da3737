/**
 * The requests of the contract's examples to the chain of `@chain-query/local-chain/story`, and the chapter at which each is sent.
 */
import { toFriendlyAddress, toHexHash, toRawAddress } from "@chain-query/client/address";
import { CHAPTERS, type Chapters, type Characters } from "@chain-query/local-chain/story";

/** A request, named as its example: `<operationId>.<condition>`. */
export interface Scene {
  readonly name: string;
  readonly chapter: keyof Chapters;
  /** Query of a GET, body of a POST. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The expected status. Absent if a chain alone cannot produce the case (keys): then the answer is written by hand. */
  readonly status?: 200 | 404 | 422 | 500;
}

/** The id of a transaction. */
export interface TransactionName {
  readonly lt: string;
  readonly hash: string;
}

/** Values of the chain at its head that requests contain. */
export interface StoryFacts {
  /** Alice's transactions, by the chapter that they belong to. */
  readonly of: Readonly<Record<"gift" | "thanks" | "change" | "welcome" | "points", TransactionName>>;
  /** created_lt of Alice's transfer to Bob. */
  readonly transferLt: string;
  /** created_lt of Bob's message to Erin, which is not processed yet. */
  readonly waitingLt: string;
  /** Unix seconds of the masterchain block of Alice's transfer. */
  readonly transferTime: number;
  /** The shard of Alice's account. */
  readonly shard: string;
}

/** A seqno that no chain reaches, so that the example holds wherever it is sent. */
const NEVER = 1_000_000_000;
const masterchain = { workchain: -1, shard: "-9223372036854775808" };

/** Sent before the chain is complete. */
export const earlyScenes: readonly Scene[] = [
  { name: "getMasterchainInfo.young-chain", chapter: "young", input: {}, status: 200 },
  { name: "getConsensusBlock.lagging", chapter: "idle", input: {}, status: 200 },
  { name: "getOutMsgQueueSize.idle", chapter: "idle", input: {}, status: 200 },
];

/** Sent at the head and later. */
export function lateScenes(who: Characters, { of, transferLt, waitingLt, transferTime, shard }: StoryFacts): readonly Scene[] {
  const alice = toFriendlyAddress(who.alice);
  const rawAlice = toRawAddress(who.alice).toLowerCase();
  const bob = toFriendlyAddress(who.bob);
  const erin = toFriendlyAddress(who.erin);
  const page = { address: alice, limit: 2 };
  const transfer = { source: alice, destination: bob, created_lt: transferLt };
  return [
    scene("getMasterchainInfo.head", 200, {}),
    scene("getConsensusBlock.current", 200, {}),
    scene("getOutMsgQueueSize.backlog", 200, {}),
    scene("getAddressInformation.active", 200, { address: alice }),
    scene("getAddressInformation.as-of-block", 200, { address: alice, seqno: String(CHAPTERS.gift + 1) }),
    scene("getAddressInformation.uninitialized", 200, { address: toFriendlyAddress(who.carol) }),
    scene("getAddressInformation.frozen", 200, { address: toFriendlyAddress(who.dave) }),
    scene("getAddressInformation.wrong-checksum", 422, { address: mistyped(alice) }),
    scene("getAddressInformation.unknown-key", undefined, { address: alice }),
    scene("getAddressInformation.other-network-key", undefined, { address: alice }),
    scene("getTransactionsStd.first-page", 200, { ...page, ...of.points }),
    scene("getTransactionsStd.next-page", 200, { ...page, address: rawAlice, ...inHex(of.change) }),
    scene("getTransactionsStd.last-page", 200, { ...page, ...of.gift }),
    scene("getTransactionsStd.empty-page", 200, { address: alice, ...of.points, to_lt: of.points.lt }),
    scene("getTransactionsStd.lt-without-hash", 422, { address: alice, lt: of.welcome.lt }),
    scene("lookupBlock.head", 200, { ...masterchain, seqno: CHAPTERS.head }),
    scene("lookupBlock.by-seqno", 200, { ...masterchain, seqno: CHAPTERS.thanks }),
    scene("lookupBlock.by-lt", 200, { workchain: 0, shard, lt: of.thanks.lt }),
    scene("lookupBlock.by-unixtime", 200, { ...masterchain, unixtime: transferTime - 3 }),
    scene("lookupBlock.past-head", 404, { ...masterchain, seqno: NEVER }),
    scene("tryLocateSourceTx.transfer", 200, transfer),
    scene("tryLocateSourceTx.external-message", 404, { source: "", destination: alice, created_lt: "0" }),
    scene("tryLocateResultTx.transfer", 200, { ...transfer, source: rawAlice }),
    scene("tryLocateResultTx.not-found", 404, { ...transfer, created_lt: String(BigInt(transferLt) + 2n) }),
    scene("tryLocateResultTx.not-yet-processed", 404, { source: bob, destination: erin, created_lt: waitingLt }),
    {
      name: "getTransactionsStd.pruned-history",
      chapter: "later",
      input: { ...page, ...inHex(of.thanks), archival: false },
      status: 500,
    },
  ];
}

function scene(name: string, status: Scene["status"] | undefined, input: Scene["input"]): Scene {
  return { name, chapter: "head", input, ...(status && { status }) };
}

function inHex({ lt, hash }: TransactionName): TransactionName {
  return { lt, hash: toHexHash(hash) };
}

/** The address with a wrong last character. */
function mistyped(address: string): string {
  return `${address.slice(0, -1)}${address.endsWith("S") ? "T" : "S"}`;
}
