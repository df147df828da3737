/** Delays in milliseconds. */
const firstDelay = 500;
const maxDelay = 30_000;
/** A process that ran this long starts again with the first delay. */
const stableAfter = 60_000;

/** The delay before a process is restarted, by how long it ran: doubles each time, until the process stays up. */
export function backoff(): (ranFor: number) => number {
  let delay = 0;
  return (ranFor) => {
    delay = ranFor >= stableAfter ? firstDelay : Math.min(maxDelay, Math.max(firstDelay, delay * 2));
    return delay;
  };
}
