import { type StatusLine, statusLine } from "./status-line.ts";

/** Tells people how far a long work is. */
export interface ProgressBar extends Pick<StatusLine, "clear"> {
  /** @param note - What to say beside the bar. */
  show(done: number, note?: string): void;
}

const WIDTH = 30;
/** Milliseconds between two drawings: a terminal is slower than blocks are made. */
const PAUSE = 100;

/** A bar on one line of a terminal; nothing where the stream is no terminal. */
export function progressBar(stream: Parameters<typeof statusLine>[0], total: number): ProgressBar {
  const line = statusLine(stream);
  let drawn = Number.NEGATIVE_INFINITY;
  return {
    show: (done, note = "") => {
      const now = performance.now();
      if (now - drawn < PAUSE && done < total) return;
      drawn = now;
      const filled = Math.floor((WIDTH * done) / total);
      line.show(`[${"#".repeat(filled).padEnd(WIDTH)}] ${done}/${total}  ${note}`);
    },
    clear: line.clear,
  };
}
