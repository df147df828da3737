/** Runs autocannon with the load in a file, and prints the outcome as JSON. */
import { readFileSync } from "node:fs";
import autocannon from "autocannon";
import type { Load, Outcome } from "./load.ts";

const { url, requests: load, seconds, connections } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Load;
const requests = load.map(({ method, path, body }) => ({
  method,
  path,
  ...(body === undefined ? {} : { body, headers: { "content-type": "application/json" } }),
}));
let next = 0;
const {
  requests: sent,
  duration,
  latency,
  non2xx,
  errors,
  timeouts,
} = await autocannon({
  url,
  connections,
  duration: seconds,
  requests,
  // Each connection starts with another request.
  setupClient(client) {
    const from = Math.floor((next++ * requests.length) / connections);
    client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
  },
});
const outcome: Outcome = {
  perSecond: sent.total / duration,
  p50: latency.p50,
  p99: latency.p99,
  failed: non2xx + errors + timeouts,
};
process.stdout.write(JSON.stringify(outcome));
