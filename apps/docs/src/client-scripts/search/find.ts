/** The search index: builds it from entries, and finds them by words and synonyms. */
import MiniSearch, { type SearchResult as Match, type SearchOptions } from "minisearch";

/** An entry of the search index: a section of a page, or an operation. Written by the build, read in the browser. */
export interface SearchEntry {
  /** Below the site's root, with the fragment. */
  path: string;
  /** The heading, or the id of the operation. */
  title: string;
  /** Title of the page. */
  page: string;
  text: string;
  /** Factor of its score; default: 1. */
  weight?: number;
}

/** A result, and its text around the matched words. */
export interface SearchResult {
  entry: SearchEntry;
  excerpt: string;
}

/** In characters; about two lines of the dialog. */
const excerptLength = 130;

/**
 * Indexes entries, and returns a function that finds them. First come entries with a title equal to the words, then entries with the words
 * or words that begin with them, then entries with their synonyms. Only if nothing was found, it allows typing errors.
 */
export function createSearch(entries: readonly SearchEntry[]): (words: string, limit: number) => SearchResult[] {
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ["title", "page", "text"],
    // Names such as getOutMsgQueueSize are also found by their parts.
    tokenize: (text) =>
      text
        .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
        .split(/[^\p{L}\p{N}_@.-]+/u)
        .concat(text.split(/\s+/)),
    searchOptions: {
      boost: { title: 4, page: 2 },
      boostDocument: (id) => entries[Number(id)]?.weight ?? 1,
      prefix: true,
      combineWith: "AND",
    },
  });
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  const typingErrors: SearchOptions = { fuzzy: (term) => (term.length > 4 ? 0.3 : false) };

  return (words, limit) => {
    const terms = withoutIgnored(words);
    const lower = words.toLowerCase();
    // A title such as "D-07 Encoding" begins with a name.
    const isName = (title: string): boolean => title === lower || (/\d/.test(lower) && title.startsWith(`${lower} `));
    const exact = entries.flatMap(({ title }, id) => (isName(title.toLowerCase()) ? [id] : []));
    const matches = new Map<number, Match>();
    const add = (found: readonly Match[]): void => {
      for (const match of found) if (!matches.has(match.id)) matches.set(match.id, match);
    };
    add(index.search(terms.join(" ")));
    add(index.search({ queries: terms.map((word) => ({ combineWith: "OR", queries: [word, ...synonymsOf(word)] })) }));
    if (matches.size === 0) add(index.search(terms.join(" "), typingErrors));
    return [...new Set([...exact, ...matches.keys()])].slice(0, limit).flatMap((id) => {
      const entry = entries[id];
      return entry ? [{ entry, excerpt: excerptOf(entry.text, matches.get(id)?.terms ?? []) }] : [];
    });
  };
}

/** Leaves out words such as "how" and "to", which match too much, unless there are no others. */
function withoutIgnored(words: string): string[] {
  const all = words.split(/\s+/).filter((word) => word !== "");
  const terms = all.filter((word) => !ignored.has(word.toLowerCase()));
  return terms.length > 0 ? terms : all;
}

function synonymsOf(word: string): readonly string[] {
  const key = word.toLowerCase();
  return Object.hasOwn(synonyms, key) ? (synonyms[key] ?? []) : [];
}

/** The part of a text around the first of the words, cut between words. */
function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const positions = terms.map((term) => lower.indexOf(term)).filter((position) => position >= 0);
  const begin = positions.length === 0 ? 0 : Math.max(0, Math.min(...positions) - 40);
  const start = begin === 0 ? 0 : text.indexOf(" ", begin) + 1;
  const end = text.length <= start + excerptLength ? text.length : text.lastIndexOf(" ", start + excerptLength);
  return `${start > 0 ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
}

const synonymGroups: readonly { words: string; pages: readonly string[] }[] = [
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
    pages: ["OpenTelemetry", "traces", "hooks"],
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

/** Words of the pages, by search word. */
const synonyms: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  synonymGroups.flatMap(({ words, pages }) => words.split(" ").map((word) => [word, pages])),
);

/** Words without meaning for the search. */
const ignored: ReadonlySet<string> = new Set(
  "a an and are can do does for from get how i in is it my of on or the to use using what when where why with".split(" "),
);
