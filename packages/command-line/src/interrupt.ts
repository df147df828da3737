/** SIGINT or SIGTERM, deferred until the command has ended its work. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** Set once a signal has arrived. */
  readonly exitCode: number | undefined;
  /** Removes the signal handlers. */
  release(): void;
}

/** What signals arrive at: the process, or an `EventEmitter` in tests. */
export interface SignalTarget {
  on(signal: string, listener: () => void): unknown;
  off(signal: string, listener: () => void): unknown;
}

const signalExitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Defers SIGINT and SIGTERM. A second signal ends the process at once.
 *
 * @example
 * const interrupt = listenForInterrupt();
 * while (!interrupt.signal.aborted) await work();
 * interrupt.release();
 */
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
