import { describe, expect, test } from "vitest";
import { validateBody } from "../../src/index.ts";
import {
  account,
  type Body,
  blockId,
  envelope,
  failure,
  listed,
  listedMessage,
  located,
  message,
  page,
  transactionId,
} from "../body/sample-bodies.ts";

const listing = (...transactions: Body[]) => envelope(page(transactions));
const queues = (...workchains: number[]) => ({
  "@type": "blocks.outMsgQueueSizes",
  shards: workchains.map((workchain) => ({ "@type": "blocks.outMsgQueueSize", id: { ...blockId(), workchain }, size: 0 })),
  ext_msg_queue_size_limit: 8000,
});
const received = (createdLt: string) => listed("3000", { in_msg: { ...listedMessage(), created_lt: createdLt } });
const large = { fee: "9007199254740993", storage_fee: "9007199254740992", other_fee: "1" };
const std = "getTransactionsStd";

type Case = readonly [what: string, operation: string, body: unknown, path?: string];

/** By decision: bodies, each with the place where it breaks the decision, if it does. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  "D-03": [
    ["a failure has no result", "errors", failure({ result: {} }), "/result"],
    ["nor null as a result", "lookupBlock", failure({ result: null }), "/result"],
  ],
  "D-14": [
    ["a page descends", std, listing(listed("3000"), listed("2000"), listed("1000"))],
    ["it does not ascend", std, listing(listed("1000"), listed("2000")), "/result/transactions/1/transaction_id/lt"],
    ["nor repeat", std, listing(listed("2000"), listed("2000")), "/result/transactions/1/transaction_id/lt"],
    ["by number, not by text", std, listing(listed("10000"), listed("9000"))],
    ["exactly", std, listing(listed("9007199254740993"), listed("9007199254740992"))],
    ["it ends with zeros", std, page([listed()], { previous_transaction_id: transactionId("0") })],
    [
      "and a hash of zeros",
      std,
      page([listed()], { previous_transaction_id: { ...transactionId("500"), lt: "0" } }),
      "/previous_transaction_id/hash",
    ],
    [
      "its cursor names no newer transaction",
      std,
      page([listed("3000")], { previous_transaction_id: transactionId("4000") }),
      "/previous_transaction_id/lt",
    ],
  ],
  "D-19": [
    [
      "the i-th outgoing message is created at lt + 1 + i",
      "tryLocateSourceTx",
      envelope(located({ out_msgs: [message(), message({ created_lt: "1003" })] })),
      "/result/out_msgs/1/created_lt",
    ],
    [
      "also in a page",
      std,
      page([listed("1000", { out_msgs: listed("1001")["out_msgs"] })]),
      "/transactions/0/out_msgs/0/created_lt",
    ],
    ["the incoming one at any time", "tryLocateResultTx", located({ in_msg: message({ created_lt: "0" }) })],
  ],
  "D-28": [
    ["the fee is the sum of its parts", std, page([listed("1000", { other_fee: "0" })]), "/transactions/0/fee"],
    ["exactly", "tryLocateResultTx", located(large)],
    ["without rounding", "tryLocateResultTx", located({ ...large, fee: "9007199254740992" }), "/fee"],
  ],
  "D-42": [
    ["the queue of the masterchain is first", "getOutMsgQueueSize", queues(-1, 0)],
    ["not second", "getOutMsgQueueSize", queues(0, -1), "/shards/0/id/workchain"],
    ["and present", "getOutMsgQueueSize", queues(), "/shards/0/id/workchain"],
  ],
  "D-44": [
    ["an account is read as of a block of the masterchain", "getAddressInformation", account()],
    [
      "not of another chain",
      "getAddressInformation",
      account({ block_id: { ...blockId(), workchain: 0 } }),
      "/block_id/workchain",
    ],
  ],
  "D-46": [
    ["a logical time fits 64 bits", std, page([received("9223372036854775807")])],
    ["and no more", std, page([received("9223372036854775808")]), "/transactions/0/in_msg/created_lt"],
    ["a shard fits 64 bits", "lookupBlock", { ...blockId(), shard: "-9223372036854775808" }],
    ["and no more", "lookupBlock", { ...blockId(), shard: "-9223372036854775809" }, "/shard"],
    ["with any sign", "lookupBlock", { ...blockId(), shard: "9999999999999999999" }, "/shard"],
  ],
};

describe.each(Object.entries(cases))("%s", (rule, rows) => {
  test.for(rows)("%s", ([, operation, body, path]) => {
    const found = validateBody(operation, body).deviations.map((one) => [one.path, one.rule, one.match]);
    expect(found).toEqual(path === undefined ? [] : [[path, rule, "unexplained"]]);
  });
});

test("a broken decision is described by the values that it compares", () => {
  const expected = '"30", storage_fee + other_fee (D-28)';
  const deviation = { path: "/result/fee", expected, got: '"31"', rule: "D-28", match: "unexplained" };
  expect(validateBody("tryLocateResultTx", envelope(located({ fee: "31" }))).deviations).toEqual([deviation]);
});

test("a value that breaks its schema is reported once", () => {
  const broken = located({ fee: "-1", transaction_id: 5, out_msgs: [message({ created_lt: "soon" })] });
  const paths = validateBody("tryLocateResultTx", broken).deviations.map(({ path }) => path);
  expect(paths).toEqual(["/transaction_id", "/fee", "/out_msgs/0/created_lt"]);
  const empty = page([], { transactions: 5, previous_transaction_id: null });
  expect(validateBody(std, empty).deviations).toHaveLength(2);
});
