/** What readers search for, in lower case, by the words that the pages use for it. */

const searched: readonly { words: string; pages: readonly string[] }[] = [
  { words: "pagination paginate paginated paging offset infinite-scroll", pages: ["page", "pages", "cursor"] },
  { words: "quota quotas throttle throttled throttling rps ratelimit rate-limit", pages: ["limit", "429"] },
  {
    words: "nano nanos nanoton nanotons nanogram ton toncoin gram coin coins decimals amount",
    pages: ["amounts", "nano", "balance"],
  },
  { words: "cors preflight cross-origin origin", pages: ["CORS", "preflight", "browser"] },
  { words: "polling poll realtime real-time live", pages: ["poll", "watch", "head"] },
  { words: "websocket websockets ws sse subscribe subscription stream webhook webhooks", pages: ["events", "poll", "watch"] },
  {
    words: "opentelemetry otel tracing trace traces telemetry span prometheus datadog",
    pages: ["otel", "OpenTelemetry", "traces"],
  },
  { words: "tanstack react react-query usequery vue svelte solid angular swr", pages: ["TanStack"] },
  { words: "python golang go rust java php ruby kotlin swift dotnet", pages: ["samples", "openapi.yaml", "curl"] },
  { words: "auth authentication authorization login token bearer credentials api-key apikey", pages: ["key", "X-API-Key"] },
  { words: "backoff retrying resend", pages: ["retries", "retry"] },
  { words: "cancel cancellation abortcontroller", pages: ["abort", "signal"] },
  { words: "exception exceptions catch throw fail failure", pages: ["error", "errors"] },
  { words: "swagger postman spec specification sdk", pages: ["openapi.yaml", "contract", "client"] },
  { words: "commonjs cjs esm", pages: ["require", "modules"] },
  { words: "bundle bundler bytes minified tree-shaking treeshaking", pages: ["size", "gzip"] },
  { words: "latest newest tip finality final confirmations confirmed", pages: ["head", "consensus"] },
  { words: "tx txs txn txns", pages: ["transaction", "transactions"] },
  { words: "memo comment payload", pages: ["message", "body"] },
  { words: "deposit deposits payment payments transfer incoming", pages: ["history", "message", "transactions"] },
  { words: "stub stubs fake fakes fixture jest offline", pages: ["mock", "fake", "vitest"] },
  { words: "timestamp date utime", pages: ["unixtime", "time"] },
  { words: "boc bag-of-cells cell", pages: ["cells", "cell"] },
  { words: "jsonrpc json-rpc toncenter tonclient", pages: ["migration", "operations", "client"] },
];

/** The words of the pages, by what readers search for. */
export const synonyms: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  searched.flatMap(({ words, pages }) => words.split(" ").map((word) => [word, pages])),
);

/** Words that say nothing about what is searched for. */
export const ignored: ReadonlySet<string> = new Set(
  "a an and are can do does for from get how i in is it my of on or the to use using what when where why with".split(" "),
);
