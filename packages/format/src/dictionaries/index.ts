export { type Entry, type EntryRange, lookUp, readEntries, uint32Key } from "./hashmap.ts";
export { type Augmentation, plainFormat, Trie, type TrieFormat, UNAUGMENTED } from "./trie.ts";
