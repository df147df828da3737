/** A queue that returns the smallest item first, and equal ones in order of insertion. */
export interface SortedQueue<T> {
  add(item: T): void;
  shift(): T | undefined;
}

/** A queue sorted by a key. Insertion sort, since most items are added in order. */
export function sortedQueue<T>(keyOf: (item: T) => bigint): SortedQueue<T> {
  const items: T[] = [];
  let first = 0;
  return {
    add(item) {
      const key = keyOf(item);
      let at = items.length;
      while (at > first && keyOf(items[at - 1] as T) > key) at -= 1;
      items.splice(at, 0, item);
    },
    shift() {
      const item = items[first];
      if (first < items.length) first += 1;
      return item;
    },
  };
}
