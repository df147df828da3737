/** The requests of the contract's examples to the chain of `@chain-query/local-chain/scenario`, and the step at which each is sent. */
import { toFriendlyAddress, toHexHash, toRawAddress } from "@chain-query/client/address";
import { type AccountFixtures, SCENARIO_STEPS, type ScenarioSteps } from "@chain-query/local-chain/scenario";

/** A request, named as its example: `<operationId>.<condition>`. */
export interface ExampleCase {
  readonly name: string;
  readonly step: keyof ScenarioSteps;
  /** Query of a GET, body of a POST. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The expected status. Absent if a chain alone cannot produce the case (keys): then the response is written by hand. */
  readonly status?: 200 | 404 | 422 | 500;
}

/** The id of a transaction. */
export interface TransactionName {
  readonly lt: string;
  readonly hash: string;
}

/** Values of the chain at its head that requests contain. */
export interface ChainValues {
  /** Alice's transactions, by the step that they belong to. */
  readonly of: Readonly<Record<"gift" | "thanks" | "change" | "welcome" | "points", TransactionName>>;
  /** created_lt of Alice's transfer to Bob. */
  readonly transferLt: string;
  /** created_lt of Bob's message to Erin, which is not processed yet. */
  readonly waitingLt: string;
  /** Unix seconds of the masterchain block of Alice's transfer. */
  readonly transferTime: number;
  /** The shard of Alice's account at the head. */
  readonly shard: string;
}

/** A seqno that no chain reaches, so that the example holds wherever it is sent. */
const NEVER = 1_000_000_000;
const masterchain = { workchain: -1, shard: "-9223372036854775808" };

/** Sent before the chain is complete. */
export const earlyCases: readonly ExampleCase[] = [
  { name: "getMasterchainInfo.young-chain", step: "young", input: {}, status: 200 },
  { name: "getConsensusBlock.lagging", step: "idle", input: {}, status: 200 },
  { name: "getOutMsgQueueSize.idle", step: "idle", input: {}, status: 200 },
];

/** Sent at the head and later. */
export function lateCases(
  who: AccountFixtures,
  { of, transferLt, waitingLt, transferTime, shard }: ChainValues,
): readonly ExampleCase[] {
  const alice = toFriendlyAddress(who.alice);
  const rawAlice = toRawAddress(who.alice).toLowerCase();
  const bob = toFriendlyAddress(who.bob);
  const erin = toFriendlyAddress(who.erin);
  const page = { address: alice, limit: 2 };
  const transfer = { source: alice, destination: bob, created_lt: transferLt };
  return [
    atHead("getMasterchainInfo.head", 200, {}),
    atHead("getConsensusBlock.current", 200, {}),
    atHead("getOutMsgQueueSize.backlog", 200, {}),
    atHead("getAddressInformation.active", 200, { address: alice }),
    atHead("getAddressInformation.as-of-block", 200, { address: alice, seqno: String(SCENARIO_STEPS.gift + 1) }),
    atHead("getAddressInformation.uninitialized", 200, { address: toFriendlyAddress(who.carol) }),
    atHead("getAddressInformation.frozen", 200, { address: toFriendlyAddress(who.dave) }),
    atHead("getAddressInformation.wrong-checksum", 422, { address: mistyped(alice) }),
    atHead("getAddressInformation.unknown-key", undefined, { address: alice }),
    atHead("getAddressInformation.other-network-key", undefined, { address: alice }),
    atHead("getTransactionsStd.first-page", 200, { ...page, ...of.points }),
    atHead("getTransactionsStd.next-page", 200, { ...page, address: rawAlice, ...inHex(of.change) }),
    atHead("getTransactionsStd.last-page", 200, { ...page, ...of.gift }),
    atHead("getTransactionsStd.empty-page", 200, { address: alice, ...of.points, to_lt: of.points.lt }),
    atHead("getTransactionsStd.lt-without-hash", 422, { address: alice, lt: of.welcome.lt }),
    atHead("lookupBlock.head", 200, { ...masterchain, seqno: SCENARIO_STEPS.head }),
    atHead("lookupBlock.by-seqno", 200, { ...masterchain, seqno: SCENARIO_STEPS.thanks }),
    atHead("lookupBlock.by-lt", 200, { workchain: 0, shard, lt: of.thanks.lt }),
    atHead("lookupBlock.by-unixtime", 200, { ...masterchain, unixtime: transferTime - 3 }),
    atHead("lookupBlock.past-head", 404, { ...masterchain, seqno: NEVER }),
    atHead("tryLocateSourceTx.transfer", 200, transfer),
    atHead("tryLocateSourceTx.external-message", 404, { source: "", destination: alice, created_lt: "0" }),
    atHead("tryLocateResultTx.transfer", 200, { ...transfer, source: rawAlice }),
    atHead("tryLocateResultTx.not-found", 404, { ...transfer, created_lt: String(BigInt(transferLt) + 2n) }),
    atHead("tryLocateResultTx.not-yet-processed", 404, { source: bob, destination: erin, created_lt: waitingLt }),
    {
      name: "getTransactionsStd.pruned-history",
      step: "later",
      input: { ...page, ...inHex(of.thanks), archival: false },
      status: 500,
    },
  ];
}

function atHead(name: string, status: ExampleCase["status"] | undefined, input: ExampleCase["input"]): ExampleCase {
  return { name, step: "head", input, ...(status && { status }) };
}

function inHex({ lt, hash }: TransactionName): TransactionName {
  return { lt, hash: toHexHash(hash) };
}

/** The address with a wrong last character. */
function mistyped(address: string): string {
  return `${address.slice(0, -1)}${address.endsWith("S") ? "T" : "S"}`;
}
