/** One who asks over raw sockets: whole requests on a connection that stays, all others each on its own. */
import { connect, type Socket } from "node:net";
import { type Answer, answerIn } from "./answer.ts";
import type { Attack } from "./draft.ts";

/** What came of an attack: its answers, and whether the service ended the connection. */
export interface Outcome {
  readonly answers: readonly Answer[];
  readonly isClosed: boolean;
}

/** Asks one thing after another. */
export interface Caller {
  /** @throws Error where no answer came in time, or what came is no answer. */
  send(attack: Attack): Promise<Outcome>;
  close(): void;
}

/** Milliseconds after which a request that was sent whole counts as hanging: longer than the service waits for one that is not. */
const longestAnswer = 30_000;
/** Milliseconds in which something that is no whole request may be answered before the caller ends its side. */
const grace = 120;

interface Line {
  readonly socket: Socket;
  bytes: Buffer;
  isClosed: boolean;
  /** Is told that there is news. */
  wake: () => void;
}

/** Sets a caller up. */
export function callerOf(port: number): Caller {
  let kept: Line | undefined;
  return {
    async send(attack) {
      if (!attack.isWhole) return sendAlone(await open(port), attack);
      // One that the service ended after its last answer is no fault of the next request.
      if (kept === undefined || kept.isClosed || !kept.socket.writable) kept = await open(port);
      const line = kept;
      if (line.bytes.length > 0) throw new Error(`more came than was asked for: ${line.bytes.toString("latin1", 0, 200)}`);
      write(line, attack);
      const answers = await answersOn(line, 1, attack.method === "HEAD", longestAnswer);
      if (answers.length === 0) throw new Error(line.isClosed ? "the connection ended without an answer" : "no answer came");
      if (answers[0]?.headers.get("connection") === "close") {
        line.socket.destroy();
        kept = undefined;
      }
      return { answers, isClosed: line.isClosed };
    },
    close: () => void kept?.socket.destroy(),
  };
}

async function sendAlone(line: Line, attack: Attack): Promise<Outcome> {
  const isHead = attack.method === "HEAD";
  write(line, attack);
  const early = await answersOn(line, 1, isHead, grace);
  line.socket.end();
  const late = await answersOn(line, Number.POSITIVE_INFINITY, isHead, longestAnswer);
  line.socket.destroy();
  if (!line.isClosed) throw new Error("the connection stayed open after its end");
  return { answers: [...early, ...late], isClosed: true };
}

function open(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const line: Line = { socket, bytes: Buffer.alloc(0), isClosed: false, wake: () => {} };
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      line.bytes = Buffer.concat([line.bytes, chunk]);
      line.wake();
    });
    const closed = (): void => {
      line.isClosed = true;
      line.wake();
    };
    socket.on("end", closed).on("close", closed);
    socket.once("connect", () => resolve(line));
    // A connection that the service resets in the middle of nonsense is closed, and nothing else.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
  });
}

function write({ socket }: Line, { pieces }: Attack): void {
  const [first, ...rest] = pieces;
  if (first !== undefined) socket.write(first);
  // Later than the first, so that they arrive apart.
  setImmediate(() => {
    for (const piece of rest) if (piece.length > 0 && socket.writable) socket.write(piece);
  });
}

/** Reads until there are so many answers, or the connection ends, or time is over. */
async function answersOn(line: Line, most: number, isHead: boolean, patience: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  const end = performance.now() + patience;
  while (answers.length < most) {
    const read = answerIn(line.bytes, isHead);
    if (read !== undefined) {
      line.bytes = line.bytes.subarray(read.length);
      if (read.answer.status >= 200) answers.push(read.answer);
      continue;
    }
    const left = end - performance.now();
    if (line.isClosed || left <= 0) break;
    await news(line, left);
  }
  return answers;
}

function news(line: Line, patience: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patience);
    line.wake = () => {
      clearTimeout(timer);
      line.wake = () => {};
      resolve();
    };
  });
}
