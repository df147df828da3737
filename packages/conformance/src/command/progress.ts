/** The progress of a run on stderr. */
import type { Plan, Progress } from "../service/judge-service.ts";

/** Where a command writes, and what ends it early. */
export interface Terminal {
  readonly stdout: Pick<NodeJS.WriteStream, "write">;
  readonly stderr: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">;
  readonly colored: boolean;
  readonly signal: AbortSignal;
}

export interface ProgressLine {
  readonly begin: (plan: Plan) => void;
  readonly show: (progress: Progress) => void;
  readonly clear: () => void;
}

/** Keeps one line of a terminal up to date; elsewhere prints one line at the start of a run that is limited in its rate. */
export function progressOn(stream: Terminal["stderr"]): ProgressLine {
  if (!stream.isTTY) return { begin: (plan) => announce(stream, plan), show: () => {}, clear: () => {} };
  const clear = (): void => {
    stream.write("\r\u001b[K");
  };
  const show = ({ check, done, total, failed }: Progress): void => {
    const line = `${done}/${total}${failed > 0 ? `, ${failed} failed` : ""}  ${check}`;
    clear();
    // Some terminals report a width of 0.
    stream.write(line.slice(0, (stream.columns || 80) - 1));
  };
  return { begin: () => {}, show, clear };
}

function announce(stream: Pick<NodeJS.WriteStream, "write">, { requests, requestsPerSecond }: Plan): void {
  if (requestsPerSecond > 0) stream.write(`about ${requests} requests at ${requestsPerSecond} per second\n`);
}
