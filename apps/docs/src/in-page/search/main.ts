/** The search: a dialog that finds pages, their parts and operations while one types. */
import MiniSearch from "minisearch";
import { dialogWith, type SearchParts } from "./dialog.ts";
import type { SearchEntry } from "./entry.ts";
import { excerptOf } from "./excerpt.ts";

/** Makes the dialog, opens it, and lets the site open it again. */
export function openSearch(entries: readonly SearchEntry[]): void {
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ["title", "page", "text"],
    // Names such as getOutMsgQueueSize are found by their parts too.
    tokenize: (text) => text.split(/[^\p{L}\p{N}_@.-]+|(?<=[a-z])(?=[A-Z])/u).concat(text.split(/\s+/)),
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: "AND",
    },
  });
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));

  const parts = dialogWith((words) => {
    const found = index.search(words).slice(0, 12);
    return found.flatMap(({ id, terms }) => {
      const entry = entries[Number(id)];
      return entry ? [{ entry, excerpt: excerptOf(entry.text, terms) }] : [];
    });
  });
  globalThis.showSearch = () => show(parts);
  globalThis.showSearch();
}

function show({ dialog, input }: SearchParts): void {
  if (!dialog.open) dialog.showModal();
  input.select();
}
