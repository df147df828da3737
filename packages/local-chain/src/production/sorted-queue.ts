/** A queue that gives the smallest first; of equal ones the one that came first. */
export interface SortedQueue<T> {
  add(item: T): void;
  shift(): T | undefined;
}

/** A queue by a key. Made for items that mostly come in order: adding at the end costs nothing. */
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
