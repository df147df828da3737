/** The search of the site: an index in the browser, and the dialog that shows its results. */
import { createSearchDialog, maxResults, type SearchDialog } from "./dialog.ts";
import type { SearchEntry } from "./entry.ts";
import { createSearch } from "./find.ts";

/** Builds the index, opens the dialog, and defines `showSearch`. */
export function openSearch(entries: readonly SearchEntry[]): void {
  const find = createSearch(entries);
  const dialog = createSearchDialog((words) => find(words, maxResults));
  globalThis.showSearch = () => show(dialog);
  globalThis.showSearch();
}

function show({ dialog, input }: SearchDialog): void {
  if (!dialog.open) dialog.showModal();
  input.select();
}
