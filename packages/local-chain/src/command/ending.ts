/** Whether somebody asked the program to end, and a signal to wait with. */
export interface Ending {
  readonly signal: AbortSignal;
  /** The exit code that tells of it, once it was asked. */
  readonly exitCode: number | undefined;
  /** From then on a signal ends the program at once again. */
  release(): void;
}

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Listens for Ctrl-C and SIGTERM, so that a block can be finished first. Asked a second time, the program ends at once. */
export function listenForEnding(): Ending {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const listeners = Object.entries(CODES).map(([name, code]) => {
    const listener = (): void => {
      if (exitCode !== undefined) process.exit(code);
      exitCode = code;
      controller.abort();
    };
    process.on(name, listener);
    return () => process.off(name, listener);
  });
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    release: () => {
      for (const stop of listeners) stop();
    },
  };
}
