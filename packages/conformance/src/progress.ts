import type { Progress } from "./judge-service.ts";

/** Shows on one line of a terminal how far a run is; nothing where it is no terminal. */
export function progressOn(stream: NodeJS.WriteStream): { show: (progress: Progress) => void; clear: () => void } {
  if (!stream.isTTY) return { show: () => {}, clear: () => {} };
  const clear = (): void => {
    stream.write("\r\u001b[K");
  };
  const show = ({ check, done, total, failed }: Progress): void => {
    const line = `${done}/${total}${failed > 0 ? `, ${failed} failed` : ""}  ${check}`;
    clear();
    stream.write(line.slice(0, Math.max(0, stream.columns - 1)));
  };
  return { show, clear };
}
