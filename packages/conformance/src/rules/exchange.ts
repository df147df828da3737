/** The rules of all responses. They apply to every exchange of a run, whichever check sent the request. */
import { rawAddressOf } from "../address.ts";
import { type Deviation, unexplained, validateItems } from "../body/validate-body.ts";
import { describeResponse, type ResponseRule, type Violation } from "../checks/check.ts";
import { inputOf } from "../contract/documented-requests.ts";
import { has, isObject, type JsonObject, naturalIn, previewOf, valueAt } from "../json.ts";
import { type Exchange, type HttpResponse, responseOf } from "../service/exchange.ts";

interface Mismatch {
  readonly expected: string;
  readonly got: string;
}

interface RequestRule extends Pick<ResponseRule, "id" | "description" | "rule"> {
  readonly operations: readonly string[];
  readonly mismatches: (input: JsonObject, result: JsonObject, operation: string) => Mismatch[];
}

const requestRules: readonly RequestRule[] = [
  {
    id: "responses/requested-block",
    description: "the block has the requested workchain and, by seqno, the requested seqno",
    rule: "D-12",
    operations: ["lookupBlock"],
    mismatches: (input, result) =>
      ["workchain", "seqno"].flatMap((name) => {
        const requested = integerIn(input[name]);
        const got = result[name];
        if (requested === undefined || typeof got !== "number" || got === requested) return [];
        return [{ expected: `${name} ${requested}, as requested`, got: `${name} ${got}` }];
      }),
  },
  {
    id: "responses/requested-message",
    description: "the located transaction has the requested message",
    rule: "D-19",
    operations: ["tryLocateResultTx", "tryLocateSourceTx"],
    mismatches: (input, result, operation) => {
      const requested = naturalIn(String(input["created_lt"]));
      const isSource = operation === "tryLocateSourceTx";
      const held = (isSource ? listAt(result, "out_msgs") : [result["in_msg"]]).map((one) => valueAt(one, ["created_lt"]));
      if (requested === undefined || held.includes(String(requested))) return [];
      const expected = `${isSource ? "an outgoing" : "the incoming"} message with created_lt ${requested}`;
      return [{ expected, got: held.map((one) => `created_lt ${previewOf(one)}`).join(", ") || "no message" }];
    },
  },
  {
    id: "responses/limit",
    description: "a page has at most limit transactions, and at most ten without limit",
    rule: "D-15",
    operations: ["getTransactionsStd"],
    mismatches: (input, result) => {
      const most = input["limit"] === undefined ? 10 : integerIn(input["limit"]);
      const { length } = listAt(result, "transactions");
      if (most === undefined || length <= most) return [];
      return [{ expected: `${most} transactions at most`, got: `${length} transactions` }];
    },
  },
  {
    id: "responses/requested-account",
    description: "the transactions of a page belong to the requested account",
    rule: "#/paths/~1api~1v2~1getTransactionsStd/get/parameters",
    operations: ["getTransactionsStd"],
    mismatches: ({ address }, result) => {
      const requested = rawAddressOf(String(address));
      const others = listAt(result, "transactions").flatMap((one, index) => {
        const text = valueAt(one, ["address", "account_address"]);
        if (requested === undefined || typeof text !== "string" || rawAddressOf(text) === requested) return [];
        const place = `/result/transactions/${index}/address/account_address`;
        return [{ expected: `${place}: ${requested} in any form`, got: previewOf(text) }];
      });
      return others.slice(0, 1);
    },
  },
  {
    id: "responses/page-start",
    description: "the first transaction of a page is the one that lt and hash name",
    rule: "D-14",
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

const requestResponseRules: readonly ResponseRule[] = requestRules.map(({ mismatches, ...rule }) => ({
  ...rule,
  violations: (exchange, { status, body }) => {
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

type DeviationRule = readonly [name: string, description: string, rule: string, matches: (deviation: Deviation) => boolean];

/** Rules of single places in a body; a deviation counts for the first rule that matches it. */
const deviationRules: readonly DeviationRule[] = [
  ["type", "every object has its @type", "D-02", ({ path }) => path.endsWith("/@type")],
  ["hash", "hashes are 32 bytes in standard base64", "D-07", isOf("Hash")],
  ["amount", "amounts are decimal strings", "D-36", isOf("Amount")],
  ["shard", "shard identifiers are decimal strings", "#/components/schemas/ShardId", isOf("ShardId")],
  ["logical-time", "logical times are decimal strings", "#/components/schemas/LogicalTime", isOf("LogicalTime")],
  ["time", "times are whole Unix seconds", "D-43", isOf("UnixTime")],
  ["no-result-in-failure", "a failure has no result", "D-03", breaks("D-03")],
  [
    "end-of-listing",
    "at the end of a listing the next hash is 32 zero bytes",
    "D-14",
    ({ rule, path }) => rule === "D-14" && path.endsWith("/previous_transaction_id/hash"),
  ],
  ["lt-descending", "transactions of a page are in strictly descending logical time", "D-14", breaks("D-14")],
  ["created-lt", "the i-th outgoing message is created at lt + 1 + i", "D-19", breaks("D-19")],
  ["fee", "fee is storage_fee + other_fee", "D-28", breaks("D-28")],
  ["schema", "the response matches its schema", "#/components/schemas", () => true],
];

/** The rules of every response. They apply to every exchange of a run, including those of the other checks. */
export const responseRules: readonly ResponseRule[] = [
  {
    id: "responses/json",
    description: "the response is JSON in UTF-8",
    rule: "D-03",
    violations: (exchange, response) =>
      response.body === undefined ? [{ exchange, expected: "JSON", got: describeResponse(exchange) }] : [],
  },
  {
    id: "responses/content-type",
    description: "the content type of the response is JSON",
    rule: "#/paths",
    violations: (exchange, { contentType }) =>
      /^application\/json\s*(;|$)/i.test(contentType)
        ? []
        : [{ exchange, expected: "content-type application/json", got: contentType || "no content type" }],
  },
  {
    id: "responses/status",
    description: "ok is true with status 200 and false with any other",
    rule: "D-04",
    violations: (exchange, { status, body }) => {
      if (body === undefined || (status === 200) === (valueAt(body, ["ok"]) === true)) return [];
      const expected = status === 200 ? "ok true, as the status is 200" : "ok false, as the status is not 200";
      return [{ exchange, expected, got: describeResponse(exchange) }];
    },
  },
  {
    id: "responses/code",
    description: "code equals the HTTP status",
    rule: "D-03",
    violations: (exchange, { status, body }) =>
      has(body, "code") && body["code"] !== status
        ? [{ exchange, expected: `code ${status}, the status`, got: `code ${previewOf(body["code"])}` }]
        : [],
  },
  ...requestResponseRules,
  ...deviationRules.map(
    ([name, description, rule]): ResponseRule => ({
      id: `responses/${name}`,
      description,
      rule,
      violations: (exchange, _, deviations) =>
        deviations
          .filter((deviation) => deviationRules.find(([, , , matches]) => matches(deviation))?.[0] === name)
          .map(({ path, expected, got, rule, match }) => ({
            exchange,
            expected: `${path || "the body"}: ${expected}`,
            got: match === unexplained ? got : `${got} (known of an older generation: ${match})`,
            rule,
          })),
    }),
  ),
];

/** The rules that apply to an exchange, each with the places where the exchange breaks it. */
export function validateExchange(exchange: Exchange): Map<ResponseRule, Violation[]> {
  const response = responseOf(exchange);
  if (response === undefined || isFromHttpServer(response)) return new Map();
  const { operation } = exchange.request;
  const deviations = deviationsOf(operation, response);
  const rules = responseRules.filter(({ operations }) => operations === undefined || operations.includes(operation));
  return new Map(rules.map((rule) => [rule, rule.violations(exchange, response, deviations)]));
}

/** An HTTP server rejects a request line that is too long (414, 431, HAProxy 400) before the API sees it, often without JSON. */
function isFromHttpServer({ status, body }: HttpResponse): boolean {
  return [400, 414, 431].includes(status) && body === undefined;
}

/** Items per array. Ajv takes minutes to collect all errors of a long array. */
const validatedItems = 20;

/** The deviations of a response's body; empty if the body is not JSON. */
export function deviationsOf(operation: string, { body, status }: HttpResponse): readonly Deviation[] {
  if (body === undefined) return [];
  const kind = status === 200 || valueAt(body, ["ok"]) === true ? operation : "errors";
  return validateItems(kind, body, validatedItems).deviations;
}

function isOf(schema: string): (deviation: Deviation) => boolean {
  return ({ rule }) => rule.startsWith(`#/components/schemas/${schema}/`);
}

function breaks(decision: string): (deviation: Deviation) => boolean {
  return ({ rule }) => rule === decision;
}
