/** What is shown, as a part of the page's address, so that it can be passed on. Neither inputs nor a key are in it. */

/** Which operation and which of its examples. */
export interface Place {
  operation: string | undefined;
  example: string | undefined;
}

/** Reads it from the address. */
export function placeInAddress(): Place {
  const query = new URLSearchParams(location.search);
  return { operation: query.get("operation") ?? undefined, example: query.get("example") ?? undefined };
}

/** Writes it into the address, without a step in the history. */
export function writePlace({ operation, example }: Place): void {
  // A page from a disk may not change its address.
  if (location.protocol === "file:") return;
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries({ operation, example })) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  history.replaceState(null, "", `?${query}${location.hash}`);
}
