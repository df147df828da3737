/** The search of the site: an index in the browser, and the dialog that shows its results. */
import MiniSearch from "minisearch";
import { createSearchDialog, maxResults, type SearchDialog } from "./dialog.ts";
import type { SearchEntry } from "./entry.ts";

/** In characters; about two lines of the dialog. */
const excerptLength = 130;

/** Builds the index, opens the dialog, and defines `showSearch`. */
export function openSearch(entries: readonly SearchEntry[]): void {
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ["title", "page", "text"],
    // Names such as getOutMsgQueueSize are also found by their parts.
    tokenize: (text) => text.split(/[^\p{L}\p{N}_@.-]+|(?<=[a-z])(?=[A-Z])/u).concat(text.split(/\s+/)),
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: "AND",
    },
  });
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));

  const dialog = createSearchDialog((words) => {
    const found = index.search(words);
    const isTitle = ({ id }: { id: unknown }): boolean => entries[Number(id)]?.title.toLowerCase() === words.toLowerCase();
    const sorted = [...found.filter(isTitle), ...found.filter((one) => !isTitle(one))];
    return sorted.slice(0, maxResults).flatMap(({ id, terms }) => {
      const entry = entries[Number(id)];
      return entry ? [{ entry, excerpt: excerptOf(entry.text, terms) }] : [];
    });
  });
  globalThis.showSearch = () => show(dialog);
  globalThis.showSearch();
}

function show({ dialog, input }: SearchDialog): void {
  if (!dialog.open) dialog.showModal();
  input.select();
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
