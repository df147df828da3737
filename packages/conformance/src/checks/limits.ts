/** The limit without a key and what is said of keys; tried only where it is asked for, because it makes the service refuse. */
import { setTimeout as sleep } from "node:timers/promises";
import { requestOf } from "../contract/documented-requests.ts";
import { has } from "../json.ts";
import { answerOf, type Exchange } from "../service/exchange.ts";
import { type Check, gotOf } from "./check.ts";

const head = requestOf("getMasterchainInfo");
const second = 1000;

export const limitChecks: readonly Check[] = [
  {
    id: "limits/keyless",
    says: "without a key the second request inside a second is refused with 429 and a failure, and served a second later",
    law: "D-24",
    operations: ["getMasterchainInfo"],
    run: async ({ hurry }) => {
      await sleep(2 * second);
      const [one, two] = await Promise.all([hurry(head), hurry(head)]);
      const both = [one, two];
      const served = both.find((exchange) => statusOf(exchange) === 200);
      const refused = both.find((exchange) => statusOf(exchange) === 429);
      if (served === undefined)
        return [{ exchange: one, expected: "one of two requests served", got: both.map(gotOf).join("; ") }];
      if (refused === undefined)
        return [{ exchange: two, expected: "429 for one of two requests at once", got: both.map(gotOf).join("; ") }];
      const answer = answerOf(refused);
      if (!has(answer?.body, "error")) return [{ exchange: refused, expected: "a failure", got: gotOf(refused) }];
      const retryAfter = answer.retryAfter;
      if (retryAfter !== undefined && !/^\d+$/.test(retryAfter)) {
        return [
          {
            exchange: refused,
            expected: "Retry-After in whole seconds, where it is sent",
            got: retryAfter,
            law: "#/components/responses/TooManyRequests/headers/Retry-After",
          },
        ];
      }
      await sleep(Math.min(60, Math.max(1, Number(retryAfter ?? 1))) * second + 100);
      const later = await hurry(head);
      return statusOf(later) === 200 ? [] : [{ exchange: later, expected: "200 a second later", got: gotOf(later) }];
    },
  },
  {
    id: "limits/unknown-key",
    says: "a key that nobody was given is refused with 401, although no key would have been served",
    law: "D-38",
    operations: ["getMasterchainInfo"],
    run: async ({ ask }) => {
      const exchange = await ask({ ...head, headers: { "X-API-Key": "not-a-key-of-this-service" } });
      return statusOf(exchange) === 401 ? [] : [{ exchange, expected: "401 and a failure", got: gotOf(exchange) }];
    },
  },
];

function statusOf(exchange: Exchange): number | undefined {
  return answerOf(exchange)?.status;
}
