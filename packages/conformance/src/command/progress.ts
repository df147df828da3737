/** The progress of a run on stderr. */
import type { Plan, Progress } from "../service/judge-service.ts";

export interface ProgressLine {
  readonly begin: (plan: Plan) => void;
  readonly show: (progress: Progress) => void;
  readonly clear: () => void;
}

/** Keeps one line of a terminal up to date; elsewhere prints one line at the start of a run that is limited in its rate. */
export function progressOn(stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">): ProgressLine {
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
