/** A request while it is made: every part of it can be made wrong by itself. */
import type { Shot } from "../bench/load.ts";

/** How a body says where it ends: rightly by its length or in chunks, not at all, or wrongly. */
export type Framing = "length" | "chunked" | "none" | "short" | "long" | "twice" | "both" | "broken chunks";

/** A request in parts. */
export interface Draft {
  readonly method: string;
  readonly path: string;
  /** Names and values as they are to be written. */
  readonly query: readonly (readonly [string, string])[];
  readonly version: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Members of a JSON object, each value as text; a name may come twice. */
  readonly members?: readonly (readonly [string, string])[];
  /** In place of the members. */
  readonly body?: Uint8Array;
  readonly framing: Framing;
}

/** A request as bytes, and what is known of the answer that it may expect. */
export interface Attack {
  readonly pieces: readonly Uint8Array[];
  /** Whether one answer is sure to come without the connection being ended. */
  readonly isWhole: boolean;
  readonly method: string;
  readonly path: string;
}

/** A valid request, to begin with. */
export function draftOf({ method, path, body }: Shot): Draft {
  const [pathname = "", query = ""] = path.split("?");
  const pairs =
    query === ""
      ? []
      : query.split("&").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const);
  const draft: Draft = {
    method,
    path: pathname,
    query: pairs,
    version: "HTTP/1.1",
    headers: [["host", "fuzz"]],
    framing: "none",
  };
  if (body === undefined) return draft;
  const members = Object.entries(JSON.parse(body) as object).map(([name, value]) => [name, JSON.stringify(value)] as const);
  return { ...draft, members, headers: [...draft.headers, ["content-type", "application/json"]], framing: "length" };
}

/** The body of a draft, where it has one. */
export function bodyOf({ members, body }: Draft): Uint8Array | undefined {
  if (body !== undefined || members === undefined) return body;
  return Buffer.from(`{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`);
}

/** Writes a draft. */
export function attackOf(draft: Draft): Attack {
  const { method, path, query, version, headers, framing } = draft;
  const body = Buffer.from(bodyOf(draft) ?? []);
  const target = query.length === 0 ? path : `${path}?${query.map(([name, value]) => `${name}=${value}`).join("&")}`;
  const framed = frames[framing](body);
  const lines = [
    `${method} ${target} ${version}`,
    ...[...headers, ...framed.headers].map(([name, value]) => `${name}: ${value}`),
  ];
  return {
    pieces: [Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), framed.bytes],
    isWhole:
      framed.isRight && wholeMethods.has(method) && version === "HTTP/1.1" && !headers.some(([name]) => unsettling.has(name)),
    method,
    path,
  };
}

/** Headers that change where a request ends, or what becomes of its connection. */
const unsettling = new Set(["content-length", "transfer-encoding", "expect", "connection", "upgrade"]);
/** Others may have an answer without a body, or none at all. */
const wholeMethods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

interface Framed {
  readonly headers: readonly (readonly [string, string])[];
  readonly bytes: Uint8Array;
  readonly isRight: boolean;
}

const length = (value: number): readonly [string, string] => ["content-length", String(value)];
const inChunks = ["transfer-encoding", "chunked"] as const;

const frames: Readonly<Record<Framing, (body: Buffer) => Framed>> = {
  length: (body) => ({ headers: [length(body.length)], bytes: body, isRight: true }),
  none: (body) => ({ headers: [], bytes: body, isRight: body.length === 0 }),
  chunked: (body) => ({ headers: [inChunks], bytes: chunks(body), isRight: true }),
  short: (body) => ({ headers: [length(Math.max(0, body.length - 2))], bytes: body, isRight: false }),
  long: (body) => ({ headers: [length(body.length + 5)], bytes: body, isRight: false }),
  twice: (body) => ({ headers: [length(body.length), length(body.length + 1)], bytes: body, isRight: false }),
  both: (body) => ({ headers: [length(body.length), inChunks], bytes: chunks(body), isRight: false }),
  "broken chunks": (body) => ({
    headers: [inChunks],
    bytes: Buffer.concat([Buffer.from("zz\r\n"), body, Buffer.from("\r\n0\r\n\r\n")]),
    isRight: false,
  }),
};

const chunkLength = 7000;

function chunks(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += chunkLength) {
    const part = body.subarray(at, at + chunkLength);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}
