import { documentedFor, keyOf } from "./documented.ts";
import { type Answer, failure, type Question, type Responder } from "./exchange.ts";
import { membersOf } from "./members.ts";
import { completed, type Overrides } from "./override.ts";
import { type Preference, preferenceIn } from "./preference.ts";
import type { Contract } from "./prism.ts";
import { shown } from "./record.ts";
import { senseless, toThePoint } from "./sense.ts";
import { typicalAnswer } from "./typical.ts";

/** How questions are answered that no example is of. */
export interface Manner {
  /** Whether their answers are made from the schema. */
  dynamic: boolean;
  seed: number;
}

/**
 * Answers from the contract: an invalid request with 422, and a valid one by the first of these that there is: the wish of its
 * `Prefer` header, an override, the example of this very request, a generated answer or else the operation's typical one.
 */
export function answers(contract: Contract, overrides: Overrides, manner: Manner): Responder {
  return async (asked) => {
    const operation = contract.operationFor(asked);
    if (asked.refusal !== undefined) throw asked.refusal;
    const { question, extra } = withoutExtra(asked);
    const { operationId } = operation;
    const members = membersOf(question);
    const same = documentedFor(operationId, members, question.headers);
    const override = overrides.of(operationId);

    const wish = preferenceIn(question.headers["prefer"]);
    const wished = Object.keys(wish).length > 0;
    const handler = typeof override === "function" && !wished ? override : undefined;
    const chosen = wished ? { dynamic: manner.dynamic, ...wish } : typeof override === "function" ? undefined : override;
    const documented = same && { code: same.response.status, example: same.condition };
    const preference: Preference = chosen ?? documented ?? { dynamic: manner.dynamic };
    // The seed holds the question, so that an answer depends neither on what was asked before nor on what is asked at once.
    const seed = preference.dynamic ? `${manner.seed} ${keyOf(operationId, members)}` : "";
    const { answer, complaints } = await operation.ask(question, preference, seed);

    if (complaints.length > 0) return repeating(extra, failure(422, toThePoint(complaints, question).join("; ")));
    const nonsense = senseless(question, members);
    if (nonsense.length > 0) {
      return repeating(extra, same ? { ...same.response, headers: {} } : failure(422, nonsense.join("; ")));
    }
    if (handler !== undefined) return completed(await handler(shown(asked)));
    const typical = chosen === undefined && same === undefined && !manner.dynamic;
    return repeating(extra, typical ? typicalAnswer(operationId, members) : answer);
  };
}

/** Takes the caller's `@extra` out of a question, which the contract does not declare and a service nevertheless repeats. */
function withoutExtra(question: Question): { question: Question; extra?: string } {
  const { query, body } = question;
  const { "@extra": inQuery, ...otherQuery } = query;
  if (typeof inQuery === "string") return { question: { ...question, query: otherQuery }, extra: inQuery };
  if (typeof body !== "object" || body === null || !("@extra" in body)) return { question };
  const { "@extra": inBody, ...otherBody } = body;
  return typeof inBody === "string" ? { question: { ...question, body: otherBody }, extra: inBody } : { question };
}

function repeating(extra: string | undefined, answer: Answer): Answer {
  if (extra === undefined || typeof answer.body !== "object" || answer.body === null) return answer;
  return { ...answer, body: { ...answer.body, "@extra": extra }, constant: false };
}
