/** Checks with random requests: valid ones made from the contract's schemas, and valid ones that were then broken. */
import fc from "fast-check";
import { type Answer, answerOf, type Exchange, type Request } from "../../service/exchange.ts";
import { judgeExchange } from "../answers/every-answer.ts";
import { type Breach, type Check, type Context, gotOf } from "../check.ts";
import { startHead } from "../live/fetch.ts";
import { brokenRequests, fuzzedOperations, isAllowed, validRequests } from "./requests.ts";

/** Requests that may be spent on finding the smallest failing one. */
const shrinkingLimit = 150;

export const fuzzChecks: readonly Check[] = fuzzedOperations.flatMap((operation): Check[] => [
  {
    id: `fuzz/${operation.id}/valid`,
    says: "a valid request is never refused as invalid",
    law: "D-04",
    operations: [operation.id],
    run: (context) =>
      search(context, (head) => validRequests(operation, head), {
        expected: "no 400 or 422, as the request is valid",
        isRight: ({ status }) => status !== 422 && status !== 400,
      }),
  },
  {
    id: `fuzz/${operation.id}/broken`,
    says: "a broken request never leads to a 5xx or to an answer off the contract",
    law: "D-04",
    operations: [operation.id],
    run: (context) =>
      search(context, (head) => brokenRequests(operation, head), {
        expected: "no 5xx, as the request is invalid",
        // What happened to a request may have left it valid; then the service may fail to serve it.
        isRight: ({ status }, request) => status < 500 || isAllowed(operation, request),
      }),
  },
]);

interface Expectation {
  readonly expected: string;
  readonly isRight: (answer: Answer, request: Request) => boolean;
}

/** Sends random requests and reports the smallest one that is answered wrongly. */
async function search(
  context: Context,
  requests: (head: number) => fc.Arbitrary<Request>,
  expectation: Expectation,
): Promise<void> {
  if (context.fuzz === 0) return;
  const { result } = await startHead(context);
  const numRuns = Math.max(1, Math.ceil(context.fuzz / fuzzedOperations.length));
  let smallest: Breach | undefined;
  let spent = 0;
  const property = fc.asyncProperty(requests(result.last.seqno), async (request) => {
    // After the first failure fast-check only tries smaller requests.
    if (smallest !== undefined && ++spent > shrinkingLimit) return true;
    const breach = breachIn(await context.ask(request), expectation);
    smallest = breach ?? smallest;
    return breach === undefined;
  });
  await fc.check(property, { numRuns, seed: context.seed });
  if (smallest === undefined) return;
  const { exchange, expected, got, law } = smallest;
  context.expect(false, exchange, expected, `${got}; again with --fuzz ${context.fuzz} --seed ${context.seed}`, law);
}

function breachIn(exchange: Exchange, { expected, isRight }: Expectation): Breach | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined) return { exchange, expected: "an answer", got: gotOf(exchange) };
  if (!isRight(answer, exchange.request)) return { exchange, expected, got: gotOf(exchange) };
  return [...judgeExchange(exchange).values()].flat()[0];
}
