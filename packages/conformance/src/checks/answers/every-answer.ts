/** The laws of every answer. They judge every exchange of a run, including those of the other checks. */
import { type Deviation, judgeItems, unexplained } from "../../body/judge-body.ts";
import { has, valueAt } from "../../json.ts";
import { previewOf } from "../../preview.ts";
import { type Answer, answerOf, type Exchange } from "../../service/exchange.ts";
import { type AnswerLaw, type Breach, gotOf } from "../check.ts";
import { requestLaws } from "./fits-request.ts";

/** Laws of single places in a body; a deviation counts for the first law that matches it. */
const placeLaws: readonly (Pick<AnswerLaw, "id" | "says" | "law"> & { matches: (deviation: Deviation) => boolean })[] = [
  { id: "answers/type", says: "every object has its @type", law: "D-02", matches: ({ path }) => path.endsWith("/@type") },
  { id: "answers/hash", says: "hashes are 32 bytes in standard base64", law: "D-07", matches: isOf("Hash") },
  { id: "answers/amount", says: "amounts are decimal strings", law: "D-36", matches: isOf("Amount") },
  {
    id: "answers/shard",
    says: "shard identifiers are decimal strings",
    law: "#/components/schemas/ShardId",
    matches: isOf("ShardId"),
  },
  {
    id: "answers/logical-time",
    says: "logical times are decimal strings",
    law: "#/components/schemas/LogicalTime",
    matches: isOf("LogicalTime"),
  },
  { id: "answers/time", says: "times are whole Unix seconds", law: "D-43", matches: isOf("UnixTime") },
  {
    id: "answers/no-result-in-failure",
    says: "a failure has no result",
    law: "D-03",
    matches: ({ rule }) => rule === "D-03",
  },
  {
    id: "answers/end-of-listing",
    says: "at the end of a listing the next hash is 32 zero bytes",
    law: "D-14",
    matches: ({ rule, path }) => rule === "D-14" && path.endsWith("/previous_transaction_id/hash"),
  },
  {
    id: "answers/lt-descending",
    says: "transactions of a page are in strictly descending logical time",
    law: "D-14",
    matches: ({ rule }) => rule === "D-14",
  },
  {
    id: "answers/created-lt",
    says: "the i-th outgoing message is created at lt + 1 + i",
    law: "D-19",
    matches: ({ rule }) => rule === "D-19",
  },
  { id: "answers/fee", says: "fee is storage_fee + other_fee", law: "D-28", matches: ({ rule }) => rule === "D-28" },
  { id: "answers/schema", says: "the answer matches its schema", law: "#/components/schemas", matches: () => true },
];

/** The laws of every answer. They judge every exchange of a run, including those of the other checks. */
export const answerLaws: readonly AnswerLaw[] = [
  {
    id: "answers/json",
    says: "the answer is JSON in UTF-8",
    law: "D-03",
    breaches: (exchange, answer) => (answer.body === undefined ? [{ exchange, expected: "JSON", got: gotOf(exchange) }] : []),
  },
  {
    id: "answers/content-type",
    says: "the content type of the answer is JSON",
    law: "#/paths",
    breaches: (exchange, { contentType }) =>
      /^application\/json\s*(;|$)/i.test(contentType)
        ? []
        : [{ exchange, expected: "content-type application/json", got: contentType || "no content type" }],
  },
  {
    id: "answers/status",
    says: "ok is true with status 200 and false with any other",
    law: "D-04",
    breaches: (exchange, { status, body }) => {
      if (body === undefined || (status === 200) === (valueAt(body, ["ok"]) === true)) return [];
      const expected = status === 200 ? "ok true, as the status is 200" : "ok false, as the status is not 200";
      return [{ exchange, expected, got: gotOf(exchange) }];
    },
  },
  {
    id: "answers/code",
    says: "code equals the HTTP status",
    law: "D-03",
    breaches: (exchange, { status, body }) =>
      has(body, "code") && body["code"] !== status
        ? [{ exchange, expected: `code ${status}, the status`, got: `code ${previewOf(body["code"])}` }]
        : [],
  },
  ...requestLaws,
  ...placeLaws.map(
    ({ id, says, law }): AnswerLaw => ({
      id,
      says,
      law,
      breaches: (exchange, _, deviations) =>
        deviations
          .filter((deviation) => placeLaws.find(({ matches }) => matches(deviation))?.id === id)
          .map(({ path, expected, got, rule, match }) => ({
            exchange,
            expected: `${path || "the body"}: ${expected}`,
            got: match === unexplained ? got : `${got} (known of an older generation: ${match})`,
            law: rule,
          })),
    }),
  ),
];

/** The laws that apply to an exchange, each with the places where the exchange breaks it. */
export function judgeExchange(exchange: Exchange): Map<AnswerLaw, Breach[]> {
  const answer = answerOf(exchange);
  if (answer === undefined || isFromHttpServer(answer)) return new Map();
  const { operation } = exchange.request;
  const deviations = deviationsOf(operation, answer);
  const laws = answerLaws.filter(({ operations }) => operations === undefined || operations.includes(operation));
  return new Map(laws.map((law) => [law, law.breaches(exchange, answer, deviations)]));
}

/** An HTTP server refuses a request line that is too long (414, 431, HAProxy 400) before the API sees it, often without JSON. */
function isFromHttpServer({ status, body }: Answer): boolean {
  return [400, 414, 431].includes(status) && body === undefined;
}

/** Enough for a report; Ajv takes minutes to collect all errors of a long array. */
const judgedItems = 20;

/** The deviations of an answer's body; empty if the body is not JSON. */
export function deviationsOf(operation: string, { body, status }: Answer): readonly Deviation[] {
  if (body === undefined) return [];
  const judged = status === 200 || valueAt(body, ["ok"]) === true ? operation : "errors";
  return judgeItems(judged, body, judgedItems).deviations;
}

function isOf(schema: string): (deviation: Deviation) => boolean {
  return ({ rule }) => rule.startsWith(`#/components/schemas/${schema}/`);
}
