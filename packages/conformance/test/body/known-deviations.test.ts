import { describe, expect, test } from "vitest";
import { validateBody } from "../../src/index.ts";
import {
  account,
  address,
  type Body,
  consensus,
  envelope,
  failure,
  limited,
  listed,
  listedMessage,
  located,
  message,
  neverSeen,
  olderAccount,
  olderConsensus,
  olderListed,
  olderLocated,
  olderMessage,
  page,
  transactionId,
  without,
} from "./sample-bodies.ts";

const locate = ["tryLocateResultTx", "tryLocateSourceTx"];

/** The match of each deviation of a result; the same in an envelope and bare. */
function matches(operation: string, body: Body): Record<string, string> {
  const bare = matchesOf(operation, body, "");
  expect(matchesOf(operation, envelope(body, { "@extra": undefined }), "/result")).toEqual(bare);
  return bare;
}

function matchesOf(operation: string, body: Body, prefix: string): Record<string, string> {
  return Object.fromEntries(
    validateBody(operation, body).deviations.map(({ path, match }) => [path.slice(prefix.length), match]),
  );
}

test("bodies of the older generation deviate in known ways only", () => {
  const older: [string, Body][] = [
    ["getAddressInformation", olderAccount()],
    ["getAddressInformation", neverSeen()],
    ["getConsensusBlock", olderConsensus()],
    ["getTransactionsStd", page([olderListed("2000"), olderListed("1000")])],
    ["tryLocateResultTx", olderLocated()],
    ["tryLocateSourceTx", olderLocated()],
    ["lookupBlock", limited()],
    ["errors", limited()],
  ];
  for (const [operation, body] of older)
    expect([operation, validateBody(operation, body).outcome]).toEqual([operation, "known"]);
});

const [float, untyped, zero] = ["float-timestamp", "untyped-consensus-block", "zero-balance-as-number"] as const;
const noCurrencies = { "/extra_currencies": "account-without-extra-currencies" };
const unexplained = (...places: string[]) => Object.fromEntries(places.map((place) => [place, "unexplained"]));

test.each<[what: string, body: Body, expected: Record<string, string>]>([
  ["has a time with a fraction", consensus({ timestamp: 1700000000.25 }), { "/timestamp": float }],
  ...["1700000000.25", -1.5, 1700000000000.5, null, -1, 2 ** 32].map((timestamp): [string, Body, Record<string, string>] => {
    return [`does not have the time ${timestamp}`, consensus({ timestamp }), unexplained("/timestamp")];
  }),
  ["has no other number with a fraction", consensus({ consensus_block: 7.5 }), unexplained("/consensus_block")],
  ["has no type if its time has a fraction", olderConsensus(), { "/@type": untyped, "/timestamp": float }],
  ["has a type beside a whole time", without(consensus(), "@type"), unexplained("/@type")],
  ["has a type beside another time", olderConsensus({ timestamp: "1" }), unexplained("/@type", "/timestamp")],
  [
    "has no other type",
    consensus({ "@type": "consensusBlock", timestamp: 1.5 }),
    { ...unexplained("/@type"), "/timestamp": float },
  ],
  [
    "has a number",
    without(olderConsensus(), "consensus_block"),
    { ...unexplained("/consensus_block"), "/@type": untyped, "/timestamp": float },
  ],
])("a consensus block %s", (_, body, expected) => {
  expect(matches("getConsensusBlock", body)).toEqual(expected);
});

describe("an account", () => {
  test.each<[what: string, body: Body, expected: Record<string, string>]>([
    ["has no time with a fraction", account({ sync_utime: 1700000000.5 }), unexplained("/sync_utime")],
    ["has the number 0 if it was never seen", neverSeen(), { "/balance": zero }],
    ["has no other number", neverSeen({ balance: 5 }), unexplained("/balance")],
    ["has no negative number", neverSeen({ balance: -1 }), unexplained("/balance")],
    ["has no null", neverSeen({ balance: null }), unexplained("/balance")],
    ["has no number if it is active", neverSeen({ state: "active" }), unexplained("/balance")],
    ["has no number if it is frozen", neverSeen({ state: "frozen" }), unexplained("/balance")],
    ["has no number with a history", neverSeen({ last_transaction_id: transactionId("1000") }), unexplained("/balance")],
    ["has no currencies beside @extra in the result", olderAccount(), noCurrencies],
    ["has no currencies without any @extra, which recordings often lack", without(account(), "extra_currencies"), noCurrencies],
    ["lacks no other member", without(olderAccount(), "frozen_hash"), { ...noCurrencies, ...unexplained("/frozen_hash") }],
    ["has no other currencies", { ...olderAccount(), extra_currencies: {} }, unexplained("/extra_currencies")],
  ])("%s", (_, body, expected) => {
    expect(matches("getAddressInformation", body)).toEqual(expected);
  });

  test("of the described generation, which has @extra beside the result, has currencies", () => {
    const described = envelope(without(account(), "extra_currencies"), { "@extra": "1700000000:1:0.01" });
    expect(matchesOf("getAddressInformation", described, "/result")).toEqual(unexplained("/extra_currencies"));
  });
});

describe.each(locate)("%s of the older generation", (operation) => {
  test("names each difference", () => {
    expect(matches(operation, olderLocated({ out_msgs: [olderMessage()] }))).toEqual({
      "/@type": "raw-transaction-located",
      "/address": "transaction-without-address",
      "/account": "transaction-without-account",
      "/in_msg/@type": "raw-message-located",
      "/in_msg/hash": "message-without-hash",
      "/in_msg/extra_currencies": "message-without-extra-currencies",
      "/out_msgs/0/@type": "raw-message-located",
      "/out_msgs/0/hash": "message-without-hash",
      "/out_msgs/0/extra_currencies": "message-without-extra-currencies",
    });
  });

  test.each<[string, string, Body]>([
    ["another type of transaction", "/@type", olderLocated({ "@type": "raw.transactionV2" })],
    ["no type", "/@type", without(olderLocated(), "@type")],
    ["an ext.transaction without address", "/address", without(located(), "address")],
    ["an ext.transaction without account", "/account", without(located(), "account")],
    ["an ext.transaction with a raw.message", "/in_msg/@type", located({ in_msg: message({ "@type": "raw.message" }) })],
    ["an ext.transaction with a message without hash", "/in_msg/hash", located({ in_msg: without(message(), "hash") })],
    ["an ext.message without hash", "/in_msg/hash", olderLocated({ in_msg: without(message(), "hash") })],
    [
      "an ext.message without currencies",
      "/in_msg/extra_currencies",
      olderLocated({ in_msg: without(message(), "extra_currencies") }),
    ],
    ["another type of message", "/in_msg/@type", olderLocated({ in_msg: olderMessage({ "@type": "msg" }) })],
    ["a message without body_hash", "/in_msg/body_hash", olderLocated({ in_msg: without(olderMessage(), "body_hash") })],
    ["an empty hash", "/in_msg/hash", olderLocated({ in_msg: { ...olderMessage(), hash: "" } })],
    ["a transaction without utime", "/utime", without(olderLocated(), "utime")],
    ["an identifier without hash", "/transaction_id/hash", olderLocated({ transaction_id: without(transactionId(), "hash") })],
    ["an address object", "/in_msg/source", olderLocated({ in_msg: olderMessage({ source: { account_address: address } }) })],
    ["a broken sum", "/fee", olderLocated({ fee: "1" })],
    ["a time with a fraction", "/utime", olderLocated({ utime: 1700000000.5 })],
  ])("does not explain %s", (_, place, body) => {
    expect(matches(operation, body)[place]).toBe("unexplained");
  });
});

test("the types of the locate operations are unexplained in other operations", () => {
  expect(matches("getTransactionsStd", olderLocated())["/@type"]).toBe("unexplained");
  expect(matches("getAddressInformation", olderLocated())["/@type"]).toBe("unexplained");
});

describe("getTransactionsStd of the older generation", () => {
  test("names each difference of a flat page", () => {
    expect(matches("getTransactionsStd", page([olderListed("1000", { in_msg: olderMessage(), out_msgs: [] })]))).toEqual({
      "/transactions/0/address": "transaction-without-address",
      "/transactions/0/in_msg/hash": "message-without-hash",
      "/transactions/0/in_msg/extra_currencies": "message-without-extra-currencies",
      "/transactions/0/in_msg/source": "flat-message-address",
      "/transactions/0/in_msg/destination": "flat-message-address",
    });
  });

  test("names them in a page whose @extra is in the result", () => {
    const bare = without(listedMessage(), "hash", "extra_currencies");
    const transaction = without(listed("1000", { in_msg: bare, out_msgs: [] }), "address");
    expect(matches("getTransactionsStd", page([transaction], { "@extra": "1:0:0.5" }))).toEqual({
      "/transactions/0/address": "transaction-without-address",
      "/transactions/0/in_msg/hash": "message-without-hash",
      "/transactions/0/in_msg/extra_currencies": "message-without-extra-currencies",
    });
    expect(new Set(Object.values(matches("getTransactionsStd", page([transaction]))))).toEqual(new Set(["unexplained"]));
  });

  test.each<[string, Body]>([
    ["one flat end", page([listed("1000", { in_msg: listedMessage({ source: address }) })])],
    ["a flat message among others", page([listed("2000"), listed("1000", { in_msg: olderMessage() })])],
    ["a text that is not an address", page([olderListed("1000", { in_msg: olderMessage({ source: "not an address" }) })])],
    ["a listed ext.message", page([olderListed("1000", { in_msg: olderMessage({ "@type": "ext.message" }) })])],
    ["a listed ext.transaction", page([olderListed("1000", { "@type": "ext.transaction" })])],
    ["no cursor", without(page([olderListed()]), "previous_transaction_id")],
    ["a wrong order", page([olderListed("1000"), olderListed("2000")])],
  ])("does not explain %s", (_, body) => {
    expect(validateBody("getTransactionsStd", envelope(body)).outcome).toBe("unexplained");
  });
});

describe("limiter-text-in-result", () => {
  test("is a 429 that has its text in result", () => {
    expect(matchesOf("errors", limited(), "")).toEqual({
      "/error": "limiter-text-in-result",
      "/result": "limiter-text-in-result",
    });
  });

  test.each<[string, Body]>([
    ["another status", limited({ code: 500 })],
    ["a code in text", limited({ code: "429" })],
    ["an object as result", limited({ result: {} })],
    ["an empty text", limited({ result: "" })],
    ["a result beside an error", limited({ error: "Too many requests" })],
    ["a result beside an error that is null", limited({ error: null })],
    ["no text at all", without(limited(), "result")],
    ["no code", without(limited(), "code")],
    ["a failure without error", without(failure(), "error")],
  ])("is not %s", (_, body) => {
    expect(validateBody("errors", body).outcome).toBe("unexplained");
    expect(validateBody("getConsensusBlock", body).outcome).toBe("unexplained");
  });
});
