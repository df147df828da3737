/** Answers as they come over a socket: read by what they say of themselves, and by nothing that is known of who sent them. */

/** One answer. */
export interface Answer {
  readonly status: number;
  /** Names in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** An answer that was read, and how many bytes it had. */
interface Read {
  readonly answer: Answer;
  readonly length: number;
}

const headEnd = Buffer.from("\r\n\r\n");

/**
 * Reads the answer that some bytes begin with; undefined where more is to come.
 *
 * @param isHead - Whether the body is left out.
 * @throws Error where they are no answer.
 */
export function answerIn(bytes: Buffer, isHead: boolean): Read | undefined {
  const end = bytes.indexOf(headEnd);
  if (end === -1) return undefined;
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) [\w' -]*$/.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error(`the status line is ${JSON.stringify(first)}`);
  const headers = new Map(lines.map(headerIn));
  const start = end + headEnd.length;
  const answer = (body: Buffer, length: number): Read => ({ answer: { status, headers, body }, length });
  if (isHead || status < 200 || status === 204 || status === 304) return answer(Buffer.alloc(0), start);
  if (headers.get("transfer-encoding") === "chunked") {
    const read = chunksIn(bytes, start);
    return read === undefined ? undefined : answer(read.body, read.end);
  }
  const length = Number(headers.get("content-length"));
  if (!Number.isInteger(length)) throw new Error("an answer does not say how long it is");
  return bytes.length < start + length ? undefined : answer(bytes.subarray(start, start + length), start + length);
}

function headerIn(line: string): [string, string] {
  const [, name, value] = /^([\w-]+): ?(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`a header is ${JSON.stringify(line)}`);
  return [name.toLowerCase(), value];
}

function chunksIn(bytes: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error("a chunk does not say how long it is");
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    if (size === 0) return { body: Buffer.concat(parts), end: next };
    at = next;
  }
}
