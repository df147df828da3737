import type { Plan, Progress } from "./service/judge-service.ts";

/** Tells people how a run goes. */
export interface ProgressLine {
  readonly begin: (plan: Plan) => void;
  readonly show: (progress: Progress) => void;
  readonly clear: () => void;
}

/** Shows on one line of a terminal how far a run is; where it is no terminal, one line says how long a slow run will be. */
export function progressOn(stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">): ProgressLine {
  if (!stream.isTTY) return { begin: (plan) => announce(stream, plan), show: () => {}, clear: () => {} };
  const clear = (): void => {
    stream.write("\r\u001b[K");
  };
  const show = ({ check, done, total, failed }: Progress): void => {
    const line = `${done}/${total}${failed > 0 ? `, ${failed} failed` : ""}  ${check}`;
    clear();
    // Some terminals do not know how wide they are.
    stream.write(line.slice(0, (stream.columns || 80) - 1));
  };
  return { begin: () => {}, show, clear };
}

function announce(stream: Pick<NodeJS.WriteStream, "write">, { requests, requestsPerSecond }: Plan): void {
  if (requestsPerSecond > 0) stream.write(`about ${requests} requests at ${requestsPerSecond} per second\n`);
}
