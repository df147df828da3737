import { describe, expect, test } from "vitest";
import { knownDeviations, validateBody } from "../../src/index.ts";
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

test("every entry has a unique name and a reason", () => {
  expect(new Set(knownDeviations.map(({ name }) => name)).size).toBe(knownDeviations.length);
  for (const { name, reason } of knownDeviations) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/);
    expect(reason).toMatch(/^[A-Z].*\.$/);
  }
});

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

describe("float-timestamp", () => {
  test("is a consensus time with a fraction", () => {
    expect(matches("getConsensusBlock", consensus({ timestamp: 1700000000.25 }))).toEqual({ "/timestamp": "float-timestamp" });
  });

  test.each([["1700000000.25"], [-1.5], [1700000000000.5], [null], [-1], [2 ** 32]])("is not the time %j", (timestamp) => {
    expect(matches("getConsensusBlock", consensus({ timestamp }))).toEqual({ "/timestamp": "unexplained" });
  });

  test("is not a fraction anywhere else", () => {
    expect(matches("getConsensusBlock", consensus({ consensus_block: 7.5 }))).toEqual({ "/consensus_block": "unexplained" });
    expect(matches("getAddressInformation", account({ sync_utime: 1700000000.5 }))).toEqual({ "/sync_utime": "unexplained" });
    expect(matches("tryLocateResultTx", olderLocated({ utime: 1700000000.5 }))).toMatchObject({ "/utime": "unexplained" });
  });
});

describe("untyped-consensus-block", () => {
  test("goes with a time that has a fraction", () => {
    expect(matches("getConsensusBlock", olderConsensus())).toEqual({
      "/@type": "untyped-consensus-block",
      "/timestamp": "float-timestamp",
    });
  });

  test("is not a missing type beside a whole time, nor a wrong type", () => {
    expect(matches("getConsensusBlock", without(consensus(), "@type"))).toEqual({ "/@type": "unexplained" });
    expect(matches("getConsensusBlock", olderConsensus({ timestamp: "1700000000" }))["/@type"]).toBe("unexplained");
    expect(matches("getConsensusBlock", consensus({ "@type": "consensusBlock", timestamp: 1.5 }))["/@type"]).toBe(
      "unexplained",
    );
  });

  test("is not a block number that is missing", () => {
    expect(matches("getConsensusBlock", without(olderConsensus(), "consensus_block"))["/consensus_block"]).toBe("unexplained");
  });
});

describe("zero-balance-as-number", () => {
  test("is the number 0 for an account never seen", () => {
    expect(matches("getAddressInformation", neverSeen())).toEqual({ "/balance": "zero-balance-as-number" });
  });

  test.each<[string, Body]>([
    ["another number", { balance: 5 }],
    ["a negative number", { balance: -1 }],
    ["null", { balance: null }],
    ["an active account", { state: "active" }],
    ["a frozen account", { state: "frozen" }],
    ["an account with a history", { last_transaction_id: transactionId("1000") }],
  ])("is not %s", (_, change) => {
    expect(matches("getAddressInformation", neverSeen(change))).toEqual({ "/balance": "unexplained" });
  });
});

describe("account-without-extra-currencies", () => {
  test("is an account whose @extra is in the result", () => {
    expect(matches("getAddressInformation", olderAccount())).toEqual({
      "/extra_currencies": "account-without-extra-currencies",
    });
  });

  test("is one without any @extra too, which recordings often lack", () => {
    expect(matches("getAddressInformation", without(account(), "extra_currencies"))).toEqual({
      "/extra_currencies": "account-without-extra-currencies",
    });
  });

  test("is not an account of the described generation, which has @extra beside the result", () => {
    const described = envelope(without(account(), "extra_currencies"), { "@extra": "1700000000:1:0.01" });
    expect(matchesOf("getAddressInformation", described, "/result")).toEqual({ "/extra_currencies": "unexplained" });
  });

  test("is no other member and no other value", () => {
    expect(matches("getAddressInformation", without(olderAccount(), "frozen_hash"))["/frozen_hash"]).toBe("unexplained");
    const wrong = { ...olderAccount(), extra_currencies: {} };
    expect(matches("getAddressInformation", wrong)).toEqual({ "/extra_currencies": "unexplained" });
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
