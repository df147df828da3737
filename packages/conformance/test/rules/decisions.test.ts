import { describe, expect, test } from "vitest";
import { validateBody } from "../../src/index.ts";
import {
  account,
  blockId,
  envelope,
  failure,
  listed,
  listedMessage,
  located,
  message,
  page,
  transactionId,
  zeroHash,
} from "../body/sample-bodies.ts";

const deviationsIn = (operation: string, body: unknown): [string, string, string][] =>
  validateBody(operation, body).deviations.map(({ path, rule, match }) => [path, rule, match]);

describe("D-03", () => {
  test("a failure has no result", () => {
    expect(deviationsIn("errors", failure({ result: {} }))).toEqual([["/result", "D-03", "unexplained"]]);
    expect(deviationsIn("lookupBlock", failure({ result: null }))).toEqual([["/result", "D-03", "unexplained"]]);
  });
});

describe("D-14", () => {
  test("the transactions of a page are strictly descending", () => {
    expect(deviationsIn("getTransactionsStd", page([listed("3000"), listed("2000"), listed("1000")]))).toEqual([]);
    const place = "/result/transactions/1/transaction_id/lt";
    expect(deviationsIn("getTransactionsStd", envelope(page([listed("1000"), listed("2000")])))).toEqual([
      [place, "D-14", "unexplained"],
    ]);
    expect(deviationsIn("getTransactionsStd", envelope(page([listed("2000"), listed("2000")])))).toEqual([
      [place, "D-14", "unexplained"],
    ]);
  });

  test("logical times are compared as exact integers", () => {
    expect(deviationsIn("getTransactionsStd", page([listed("10000"), listed("9000")]))).toEqual([]);
    expect(deviationsIn("getTransactionsStd", page([listed("9007199254740993"), listed("9007199254740992")]))).toEqual([]);
  });

  test("the end of the history has a hash of zero bytes", () => {
    const end = { previous_transaction_id: transactionId("0") };
    expect(deviationsIn("getTransactionsStd", page([listed()], end))).toEqual([]);
    const half = { previous_transaction_id: { ...transactionId("500"), lt: "0" } };
    expect(deviationsIn("getTransactionsStd", page([listed()], half))).toEqual([
      ["/previous_transaction_id/hash", "D-14", "unexplained"],
    ]);
    expect(zeroHash).toHaveLength(44);
  });
});

describe("D-19", () => {
  test("the i-th outgoing message is created at lt + 1 + i", () => {
    const messages = [message(), message({ created_lt: "1003" })];
    expect(deviationsIn("tryLocateSourceTx", envelope(located({ out_msgs: messages })))).toEqual([
      ["/result/out_msgs/1/created_lt", "D-19", "unexplained"],
    ]);
    const one = listed("1000", { out_msgs: listed("1001")["out_msgs"] });
    expect(deviationsIn("getTransactionsStd", page([one]))).toEqual([
      ["/transactions/0/out_msgs/0/created_lt", "D-19", "unexplained"],
    ]);
  });

  test("the incoming message may be created at any time", () => {
    expect(deviationsIn("tryLocateResultTx", located({ in_msg: message({ created_lt: "0" }) }))).toEqual([]);
  });
});

describe("D-28", () => {
  test("the fee is the sum of its two parts", () => {
    expect(validateBody("tryLocateResultTx", envelope(located({ fee: "31" }))).deviations).toEqual([
      {
        path: "/result/fee",
        expected: '"30", storage_fee + other_fee (D-28)',
        got: '"31"',
        rule: "D-28",
        match: "unexplained",
      },
    ]);
    expect(deviationsIn("getTransactionsStd", page([listed("1000", { other_fee: "0" })]))).toEqual([
      ["/transactions/0/fee", "D-28", "unexplained"],
    ]);
  });

  test("large fees are summed exactly", () => {
    const fees = { fee: "9007199254740993", storage_fee: "9007199254740992", other_fee: "1" };
    expect(deviationsIn("tryLocateResultTx", located(fees))).toEqual([]);
    expect(deviationsIn("tryLocateResultTx", located({ ...fees, fee: "9007199254740992" }))).toHaveLength(1);
  });
});

test("a value that breaks its schema is reported once", () => {
  const broken = located({ fee: "-1", transaction_id: 5, out_msgs: [message({ created_lt: "soon" })] });
  expect(deviationsIn("tryLocateResultTx", broken).map(([path]) => path)).toEqual([
    "/transaction_id",
    "/fee",
    "/out_msgs/0/created_lt",
  ]);
  expect(deviationsIn("getTransactionsStd", page([], { transactions: 5, previous_transaction_id: null }))).toHaveLength(2);
});

describe("D-46", () => {
  test.for([
    ["9223372036854775807", []],
    ["9223372036854775808", [["/transactions/0/in_msg/created_lt", "D-46", "unexplained"]]],
  ] as const)("a logical time of %s is checked for 64 bits", ([createdLt, found]) => {
    const transaction = listed("3000", { in_msg: { ...listedMessage(), created_lt: createdLt } });
    expect(deviationsIn("getTransactionsStd", page([transaction]))).toEqual(found);
  });

  test.for([
    ["-9223372036854775808", []],
    ["-9223372036854775809", [["/shard", "D-46", "unexplained"]]],
    ["9999999999999999999", [["/shard", "D-46", "unexplained"]]],
  ] as const)("a shard of %s is checked for 64 bits", ([shard, found]) => {
    expect(deviationsIn("lookupBlock", { ...blockId(), shard })).toEqual(found);
  });
});

describe("D-42", () => {
  const sizes = (...workchains: number[]) => ({
    "@type": "blocks.outMsgQueueSizes",
    shards: workchains.map((workchain) => ({ "@type": "blocks.outMsgQueueSize", id: { ...blockId(), workchain }, size: 0 })),
    ext_msg_queue_size_limit: 8000,
  });

  test("the queue of the masterchain is present and first", () => {
    expect(deviationsIn("getOutMsgQueueSize", sizes(-1, 0))).toEqual([]);
    const found = [["/shards/0/id/workchain", "D-42", "unexplained"]];
    expect(deviationsIn("getOutMsgQueueSize", sizes(0, -1))).toEqual(found);
    expect(deviationsIn("getOutMsgQueueSize", sizes())).toEqual(found);
  });
});

describe("D-44", () => {
  test("an account is read as of a masterchain block", () => {
    expect(deviationsIn("getAddressInformation", account())).toEqual([]);
    expect(deviationsIn("getAddressInformation", account({ block_id: { ...blockId(), workchain: 0 } }))).toEqual([
      ["/block_id/workchain", "D-44", "unexplained"],
    ]);
  });
});

describe("the cursor of a page", () => {
  test("does not name a transaction newer than the page", () => {
    const newer = { previous_transaction_id: transactionId("4000") };
    expect(deviationsIn("getTransactionsStd", page([listed("3000")], newer))).toEqual([
      ["/previous_transaction_id/lt", "D-14", "unexplained"],
    ]);
  });
});
