/** Finds entries of the search index. */
import MiniSearch, { type SearchResult as Match, type SearchOptions } from "minisearch";
import type { SearchEntry } from "./entry.ts";
import { ignored, synonyms } from "./synonyms.ts";

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
 *
 * @example
 * const find = createSearch(entries);
 * find("pagination")[0]?.entry.title; // "Read a history"
 */
export function createSearch(entries: readonly SearchEntry[]): (words: string, limit: number) => SearchResult[] {
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ["title", "page", "text"],
    // Names such as getOutMsgQueueSize are also found by their parts.
    tokenize: (text) => text.split(/[^\p{L}\p{N}_@.-]+|(?<=[a-z])(?=[A-Z])/u).concat(text.split(/\s+/)),
    searchOptions: {
      boost: { title: 4, page: 2 },
      boostDocument: (id) => entries[Number(id)]?.weight ?? 1,
      prefix: true,
      combineWith: "AND",
    },
  });
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  const typingErrors: SearchOptions = { fuzzy: (term) => (term.length > 4 ? 0.2 : false) };

  return (words, limit) => {
    const said = withoutIgnored(words);
    const lower = words.toLowerCase();
    // A title such as "D-07 Encoding" begins with a name.
    const isName = (title: string): boolean => title === lower || (/\d/.test(lower) && title.startsWith(`${lower} `));
    const exact = entries.flatMap(({ title }, id) => (isName(title.toLowerCase()) ? [id] : []));
    const matches = new Map<number, Match>();
    const add = (found: readonly Match[]): void => {
      for (const match of found) if (!matches.has(match.id)) matches.set(match.id, match);
    };
    add(index.search(said.join(" ")));
    add(index.search({ queries: said.map((word) => ({ combineWith: "OR", queries: [word, ...synonymsOf(word)] })) }));
    if (matches.size === 0) add(index.search(said.join(" "), typingErrors));
    return [...new Set([...exact, ...matches.keys()])].slice(0, limit).flatMap((id) => {
      const entry = entries[id];
      return entry ? [{ entry, excerpt: excerptOf(entry.text, matches.get(id)?.terms ?? []) }] : [];
    });
  };
}

/** Words such as "how" and "to" match too much, unless there are no others. */
function withoutIgnored(words: string): string[] {
  const all = words.split(/\s+/).filter((word) => word !== "");
  const said = all.filter((word) => !ignored.has(word.toLowerCase()));
  return said.length > 0 ? said : all;
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
