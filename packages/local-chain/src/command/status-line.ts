/** One line of a terminal that says how things stand; nothing where the stream is no terminal. */
export interface StatusLine {
  show(text: string): void;
  clear(): void;
}

export function statusLine(stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">): StatusLine {
  if (!stream.isTTY) return { show: () => {}, clear: () => {} };
  const clear = (): void => {
    stream.write("\r\u001b[K");
  };
  return {
    show: (text) => {
      clear();
      // Some terminals do not know how wide they are.
      stream.write(text.slice(0, (stream.columns || 80) - 1));
    },
    clear,
  };
}
