/** Laws of what a successful answer must have in common with its request. Values that break their schema are left to the schema. */
import { rawAddressOf } from "../../address.ts";
import { inputOf } from "../../contract/documented-requests.ts";
import { isObject, type JsonObject, naturalIn, valueAt } from "../../json.ts";
import { previewOf } from "../../preview.ts";
import type { AnswerLaw } from "../check.ts";

interface Mismatch {
  readonly expected: string;
  readonly got: string;
}

interface RequestLaw extends Pick<AnswerLaw, "id" | "says" | "law"> {
  readonly operations: readonly string[];
  readonly mismatches: (input: JsonObject, result: JsonObject, operation: string) => Mismatch[];
}

const laws: readonly RequestLaw[] = [
  {
    id: "answers/block-asked",
    says: "the block has the requested workchain and, by seqno, the requested seqno",
    law: "D-12",
    operations: ["lookupBlock"],
    mismatches: (input, result) =>
      ["workchain", "seqno"].flatMap((name) => {
        const asked = integerIn(input[name]);
        const got = result[name];
        if (asked === undefined || typeof got !== "number" || got === asked) return [];
        return [{ expected: `${name} ${asked}, as requested`, got: `${name} ${got}` }];
      }),
  },
  {
    id: "answers/message-asked",
    says: "the located transaction has the requested message",
    law: "D-19",
    operations: ["tryLocateResultTx", "tryLocateSourceTx"],
    mismatches: (input, result, operation) => {
      const asked = naturalIn(String(input["created_lt"]));
      const isSource = operation === "tryLocateSourceTx";
      const held = (isSource ? listAt(result, "out_msgs") : [result["in_msg"]]).map((one) => valueAt(one, ["created_lt"]));
      if (asked === undefined || held.includes(String(asked))) return [];
      const expected = `${isSource ? "an outgoing" : "the incoming"} message with created_lt ${asked}`;
      return [{ expected, got: held.map((one) => `created_lt ${previewOf(one)}`).join(", ") || "no message" }];
    },
  },
  {
    id: "answers/limit",
    says: "a page has at most limit transactions, and at most ten without limit",
    law: "D-15",
    operations: ["getTransactionsStd"],
    mismatches: (input, result) => {
      const most = input["limit"] === undefined ? 10 : integerIn(input["limit"]);
      const { length } = listAt(result, "transactions");
      if (most === undefined || length <= most) return [];
      return [{ expected: `${most} transactions at most`, got: `${length} transactions` }];
    },
  },
  {
    id: "answers/account-asked",
    says: "the transactions of a page belong to the requested account",
    law: "#/components/parameters/address",
    operations: ["getTransactionsStd"],
    mismatches: ({ address }, result) => {
      const asked = rawAddressOf(String(address));
      const others = listAt(result, "transactions").flatMap((one, index) => {
        const text = valueAt(one, ["address", "account_address"]);
        if (asked === undefined || typeof text !== "string" || rawAddressOf(text) === asked) return [];
        const place = `/result/transactions/${index}/address/account_address`;
        return [{ expected: `${place}: ${asked} in any form`, got: previewOf(text) }];
      });
      return others.slice(0, 1);
    },
  },
  {
    id: "answers/page-start",
    says: "the first transaction of a page is the one that lt and hash name",
    law: "D-14",
    operations: ["getTransactionsStd"],
    mismatches: (input, result) => {
      const lt = naturalIn(String(input["lt"]));
      const hash = hashIn(input["hash"]);
      const [first] = listAt(result, "transactions");
      if (lt === undefined || hash === undefined || first === undefined) return [];
      const [gotLt, gotHash] = ["lt", "hash"].map((name) => valueAt(first, ["transaction_id", name]));
      if (gotLt === String(lt) && gotHash === hash) return [];
      return [{ expected: `lt ${lt} with hash ${hash} first`, got: `lt ${previewOf(gotLt)} with hash ${previewOf(gotHash)}` }];
    },
  },
];

export const requestLaws: readonly AnswerLaw[] = laws.map(({ mismatches, ...law }) => ({
  ...law,
  breaches: (exchange, { status, body }) => {
    const result = valueAt(body, ["result"]);
    if (status !== 200 || valueAt(body, ["ok"]) !== true || !isObject(result)) return [];
    const { request } = exchange;
    return mismatches(inputOf(request), result, request.operation).map((mismatch) => ({ exchange, ...mismatch }));
  },
}));

function listAt(holder: JsonObject, member: string): readonly unknown[] {
  const list = holder[member];
  return Array.isArray(list) ? list : [];
}

/** An integer given as a number or as text. */
function integerIn(value: unknown): number | undefined {
  return /^-?\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
}

/** A hash given in any of its forms, in standard base64. */
function hashIn(value: unknown): string | undefined {
  const text = String(value);
  if (/^[0-9A-Fa-f]{64}$/.test(text)) return Buffer.from(text, "hex").toString("base64");
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, "base64url").toString("base64") : undefined;
}
