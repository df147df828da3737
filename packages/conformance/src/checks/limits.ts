/** Checks of the limit without a key and of unknown keys. They run only on demand, because they make the service refuse requests. */
import { requestOf } from "../contract/documented-requests.ts";
import { has } from "../json.ts";
import { answerOf, type Exchange } from "../service/exchange.ts";
import { type Check, gotOf } from "./check.ts";

const head = requestOf("getMasterchainInfo");
const second = 1000;

export const limitChecks: readonly Check[] = [
  {
    id: "limits/keyless",
    says: "without a key the second request within a second is refused with 429 and a failure, and served a second later",
    law: "D-24",
    operations: ["getMasterchainInfo"],
    run: async ({ askWithoutKey, wait, expect }) => {
      await wait(2 * second);
      const both = await Promise.all([askWithoutKey(head), askWithoutKey(head)]);
      const served = both.find((exchange) => statusOf(exchange) === 200);
      const refused = both.find((exchange) => statusOf(exchange) === 429);
      const got = both.map(gotOf).join("; ");
      if (served === undefined) return expect(false, both[0], "one of two requests served", got);
      if (refused === undefined) return expect(false, both[1], "429 for one of two requests at once", got);
      const answer = answerOf(refused);
      if (!has(answer?.body, "error")) return expect(false, refused, "a failure");
      const { retryAfter } = answer;
      if (retryAfter !== undefined && !/^\d+$/.test(retryAfter)) {
        const place = "#/components/responses/TooManyRequests/headers/Retry-After";
        return expect(false, refused, "Retry-After in whole seconds, if sent", retryAfter, place);
      }
      await wait(Math.min(60, Math.max(1, Number(retryAfter ?? 1))) * second + 100);
      const later = await askWithoutKey(head);
      expect(statusOf(later) === 200, later, "200 a second later");
    },
  },
  {
    id: "limits/unknown-key",
    says: "a key that was never issued is refused with 401, although the request would be served without a key",
    law: "D-38",
    operations: ["getMasterchainInfo"],
    run: async ({ ask, expect }) => {
      const exchange = await ask({ ...head, headers: { "X-API-Key": "not-a-key-of-this-service" } });
      expect(statusOf(exchange) === 401, exchange, "401 and a failure");
    },
  },
];

function statusOf(exchange: Exchange): number | undefined {
  return answerOf(exchange)?.status;
}
