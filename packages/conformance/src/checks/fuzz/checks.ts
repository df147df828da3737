/** What no example thinks of: requests made from the contract's schemas, and requests that were broken. */
import fc from "fast-check";
import { type Answer, answerOf, type Exchange, type Request } from "../../service/exchange.ts";
import { judgeExchange } from "../answers/every-answer.ts";
import { type Breach, type Check, type Context, gotOf } from "../check.ts";
import { found, once } from "../live/typed-requests.ts";
import { brokenRequests, fuzzed, isAllowed, validRequests } from "./requests.ts";

/** Requests that may be spent on finding the smallest one that fails. */
const shrinkingBound = 150;

export const fuzzChecks: readonly Check[] = fuzzed.flatMap((operation): Check[] => [
  {
    id: `fuzz/${operation}/valid`,
    says: "a valid request is never refused as invalid",
    law: "D-04",
    operations: [operation],
    run: (context) =>
      search(context, (head) => validRequests(operation, head), {
        expected: "no 400 or 422, as the request is valid",
        isRight: ({ status }) => status !== 422 && status !== 400,
      }),
  },
  {
    id: `fuzz/${operation}/broken`,
    says: "a broken request never leads to a 5xx or to an answer off the contract",
    law: "D-04",
    operations: [operation],
    run: (context) =>
      search(context, (head) => brokenRequests(operation, head), {
        expected: "no 5xx, as the fault is the caller's",
        // A request that is valid after all may meet a trouble of the node.
        isRight: ({ status }, request) => status < 500 || isAllowed(request),
      }),
  },
]);

interface Aim {
  readonly expected: string;
  readonly isRight: (answer: Answer, request: Request) => boolean;
}

async function search(
  context: Context,
  requests: (head: number) => fc.Arbitrary<Request>,
  { expected, isRight }: Aim,
): Promise<Breach[]> {
  if (context.fuzz === 0) return [];
  const { result } = await once(context, "head", () => found(context, "getMasterchainInfo"));
  const runs = Math.max(1, Math.ceil(context.fuzz / fuzzed.length));
  let smallest: Breach | undefined;
  let spent = 0;
  const property = fc.asyncProperty(requests(result.last.seqno), async (request) => {
    // Once something has failed, every further request only makes it smaller.
    if (smallest !== undefined && ++spent > shrinkingBound) return true;
    const exchange = await context.ask(request);
    const breach = breachIn(exchange, expected, isRight);
    smallest = breach ?? smallest;
    return breach === undefined;
  });
  await fc.check(property, { numRuns: runs, seed: context.seed });
  return smallest === undefined
    ? []
    : [{ ...smallest, got: `${smallest.got}; again with --fuzz ${context.fuzz} --seed ${context.seed}` }];
}

function breachIn(
  exchange: Exchange,
  expected: string,
  isRight: (answer: Answer, request: Request) => boolean,
): Breach | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined) return { exchange, expected: "an answer", got: gotOf(exchange) };
  if (!isRight(answer, exchange.request)) return { exchange, expected, got: gotOf(exchange) };
  return [...judgeExchange(exchange).values()].flat()[0];
}
