/** How long to wait before something that ended is started again: longer each time, until it has stayed up. */

/** Milliseconds. */
const shortest = 500;
const longest = 30_000;
const stayedUp = 60_000;

/** Tells the next wait, given how long it was up. */
export function backoff(): (upFor: number) => number {
  let wait = 0;
  return (upFor) => {
    wait = upFor >= stayedUp ? shortest : Math.min(longest, Math.max(shortest, wait * 2));
    return wait;
  };
}
