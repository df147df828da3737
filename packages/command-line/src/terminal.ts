/** Progress on a terminal, and Ctrl-C. */

/** Output streams of a command. */
export interface Terminal {
  readonly stdout: Pick<NodeJS.WriteStream, "write">;
  readonly stderr: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">;
}

/** One line of a terminal that is overwritten. */
export interface StatusLine {
  show(text: string): void;
  clear(): void;
}

/** A status line that is overwritten; writes nothing if the stream is not a terminal. */
export function statusLine(stream: Terminal["stderr"]): StatusLine {
  if (!stream.isTTY) return { show: () => {}, clear: () => {} };
  const clear = (): void => {
    stream.write("\r\u001b[K");
  };
  return {
    show: (text) => {
      clear();
      // Some terminals report a width of 0.
      stream.write(text.slice(0, (stream.columns || 80) - 1));
    },
    clear,
  };
}

/** The progress of a long task. */
export interface ProgressBar extends Pick<StatusLine, "clear"> {
  /** @param note - Text beside the bar. */
  show(done: number, note?: string): void;
}

const WIDTH = 30;
/** Milliseconds between two updates: writing to a terminal is slower than making a block. */
const PAUSE = 100;

/** A progress bar on a status line. */
export function progressBar(stream: Terminal["stderr"], total: number): ProgressBar {
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

/** SIGINT or SIGTERM, deferred until the command has ended its work. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** Set once a signal has arrived. */
  readonly exitCode: number | undefined;
  /** Removes the signal handlers. */
  release(): void;
}

/** The source of signals: the process, or an `EventEmitter` in tests. */
export interface SignalTarget {
  on(signal: string, listener: () => void): unknown;
  off(signal: string, listener: () => void): unknown;
}

const signalExitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** Defers SIGINT and SIGTERM. A second signal ends the process at once. */
export function listenForInterrupt(target: SignalTarget = process): Interrupt {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const handlers = Object.entries(signalExitCodes).map(([name, code]) => {
    const handler = (): void => {
      if (exitCode !== undefined) process.exit(code);
      exitCode = code;
      controller.abort();
    };
    target.on(name, handler);
    return () => target.off(name, handler);
  });
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    release: () => {
      for (const remove of handlers) remove();
    },
  };
}
