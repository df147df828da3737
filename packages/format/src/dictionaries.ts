export { type Entry, readEntries } from "./dictionary/entries.ts";
export { Trie } from "./dictionary/trie.ts";
export { type Augmentation, type TrieFormat, UNAUGMENTED } from "./dictionary/trie-node.ts";
