/** What holds of every answer. Each exchange of a run is held against all of these. */

import { type Deviation, judgeBody, unexplained } from "../../body/judge-body.ts";
import { has, valueAt } from "../../json.ts";
import { previewOf } from "../../preview.ts";
import { type Answer, answerOf, type Exchange } from "../../service/exchange.ts";
import type { Breach } from "../check.ts";
import { gotOf } from "../check.ts";
import { questionLaws } from "./fits-request.ts";
import type { AnswerLaw } from "./law.ts";

/** Laws of single places in a body; a deviation belongs to the first that owns it. */
const places: readonly { id: string; says: string; law: string; owns: (deviation: Deviation) => boolean }[] = [
  {
    id: "answers/type",
    says: "every object tells its type",
    law: "D-02",
    owns: ({ path }) => path.endsWith("/@type"),
  },
  { id: "answers/hash", says: "hashes are 32 bytes in standard base64", law: "D-07", owns: isOf("Hash") },
  { id: "answers/amount", says: "amounts are decimal strings", law: "D-36", owns: isOf("Amount") },
  {
    id: "answers/shard",
    says: "shard identifiers are decimal strings",
    law: "#/components/schemas/ShardId",
    owns: isOf("ShardId"),
  },
  {
    id: "answers/logical-time",
    says: "logical times are decimal strings",
    law: "#/components/schemas/LogicalTime",
    owns: isOf("LogicalTime"),
  },
  { id: "answers/time", says: "times are whole Unix seconds", law: "D-43", owns: isOf("UnixTime") },
  {
    id: "answers/no-result-in-failure",
    says: "a failure has no result",
    law: "D-03",
    owns: ({ rule }) => rule === "D-03",
  },
  {
    id: "answers/end-of-listing",
    says: "where a listing ends, the next hash is 32 zero bytes",
    law: "D-14",
    owns: ({ rule, path }) => rule === "D-14" && path.endsWith("/previous_transaction_id/hash"),
  },
  {
    id: "answers/lt-descending",
    says: "transactions of a page are in strictly descending logical time",
    law: "D-14",
    owns: ({ rule }) => rule === "D-14",
  },
  {
    id: "answers/created-lt",
    says: "the i-th outgoing message is created at lt + 1 + i",
    law: "D-19",
    owns: ({ rule }) => rule === "D-19",
  },
  { id: "answers/fee", says: "fee is storage_fee + other_fee", law: "D-28", owns: ({ rule }) => rule === "D-28" },
  {
    id: "answers/schema",
    says: "the answer is as its schema says",
    law: "#/components/schemas",
    owns: () => true,
  },
];

/** All laws of answers, those of single places last. */
export const answerLaws: readonly AnswerLaw[] = [
  {
    id: "answers/json",
    says: "the answer is JSON in UTF-8",
    law: "D-03",
    breaches: (exchange, answer) => (answer.body === undefined ? [{ exchange, expected: "JSON", got: gotOf(exchange) }] : []),
  },
  {
    id: "answers/content-type",
    says: "the answer says that it is JSON",
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
    breaches: (exchange, { status, body }) =>
      body === undefined || (status === 200) === (valueAt(body, ["ok"]) === true)
        ? []
        : [
            {
              exchange,
              expected: status === 200 ? "ok true, as the status is 200" : "ok false, as the status is not 200",
              got: gotOf(exchange),
            },
          ],
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
  ...questionLaws,
  ...places.map(
    ({ id, says, law }): AnswerLaw => ({
      id,
      says,
      law,
      breaches: (exchange, _, deviations) =>
        deviations
          .filter((deviation) => places.find(({ owns }) => owns(deviation))?.id === id)
          .map(({ path, expected, got, rule, match }) => ({
            exchange,
            expected: `${path || "the body"}: ${expected}`,
            got: match === unexplained ? got : `${got} (known of an older generation: ${match})`,
            law: rule,
          })),
    }),
  ),
];

/** Where an exchange breaks laws of answers; the ids of the laws that it was held against come with it. */
export function judgeExchange(exchange: Exchange): Map<AnswerLaw, Breach[]> {
  const answer = answerOf(exchange);
  if (answer === undefined || isBeforeTheApi(answer)) return new Map();
  const { operation } = exchange.request;
  const deviations = deviationsOf(operation, answer);
  const laws = answerLaws.filter(({ operations }) => operations === undefined || operations.includes(operation));
  return new Map(laws.map((law) => [law, law.breaches(exchange, answer, deviations)]));
}

/** A request line that is too long never reaches the API: HTTP itself refuses it (414, 431), often without a body. */
function isBeforeTheApi({ status, body }: Answer): boolean {
  return (status === 414 || status === 431) && body === undefined;
}

/** What is wrong with a body for the operation that was asked; nothing where there is no JSON to be wrong. */
export function deviationsOf(operation: string, { body, status }: Answer): readonly Deviation[] {
  if (body === undefined) return [];
  return judgeBody(status === 200 || valueAt(body, ["ok"]) === true ? operation : "errors", body).deviations;
}

function isOf(schema: string): (deviation: Deviation) => boolean {
  return ({ rule }) => rule.startsWith(`#/components/schemas/${schema}/`);
}
