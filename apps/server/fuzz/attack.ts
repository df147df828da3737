/** Invalid requests: drafts, of which every part can be changed, and the bytes that they become. */

/** A valid request to start from. */
export interface ValidRequest {
  readonly method: "GET" | "POST";
  /** With its query. */
  readonly path: string;
  readonly body?: string;
}

/** How the end of a body is marked: correctly by its length or in chunks, not at all, or wrongly. */
export type Framing = "length" | "chunked" | "none" | "short" | "long" | "twice" | "both" | "broken";

/** A request in parts. */
export interface Draft {
  readonly method: string;
  readonly path: string;
  /** Names and values, already encoded. */
  readonly query: readonly (readonly [string, string])[];
  readonly version: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Members of the JSON body, with their values as JSON text; names may repeat. */
  readonly members?: readonly (readonly [string, string])[];
  /** Replaces the members. */
  readonly body?: Uint8Array;
  readonly framing: Framing;
}

/** A request as bytes. */
export interface Attack {
  readonly pieces: readonly Uint8Array[];
  /** Whether the request is complete: it gets exactly one response, and the connection may stay open. */
  readonly isComplete: boolean;
  readonly method: string;
  readonly path: string;
}

/** The draft of a valid request. */
export function draftOf({ method, path, body }: ValidRequest): Draft {
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

/** The body of a draft; undefined if it has none. */
export function bodyOf({ members, body }: Draft): Uint8Array | undefined {
  if (body !== undefined || members === undefined) return body;
  return Buffer.from(`{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`);
}

/** The bytes of a draft. */
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
    isComplete:
      framed.isCorrect &&
      answeredMethods.has(method) &&
      version === "HTTP/1.1" &&
      !headers.some(([name]) => connectionHeaders.has(name)),
    method,
    path,
  };
}

/** Headers that change where a request ends, or whether its connection stays open. */
const connectionHeaders = new Set(["content-length", "transfer-encoding", "expect", "connection", "upgrade"]);
/** Other methods may get a response without a body, or no response. */
const answeredMethods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

interface Framed {
  readonly headers: readonly (readonly [string, string])[];
  readonly bytes: Uint8Array;
  readonly isCorrect: boolean;
}

const length = (value: number): readonly [string, string] => ["content-length", String(value)];
const chunkedHeader = ["transfer-encoding", "chunked"] as const;

const frames: Readonly<Record<Framing, (body: Buffer) => Framed>> = {
  length: (body) => ({ headers: [length(body.length)], bytes: body, isCorrect: true }),
  none: (body) => ({ headers: [], bytes: body, isCorrect: body.length === 0 }),
  chunked: (body) => ({ headers: [chunkedHeader], bytes: chunks(body), isCorrect: true }),
  short: (body) => ({ headers: [length(Math.max(0, body.length - 2))], bytes: body, isCorrect: false }),
  long: (body) => ({ headers: [length(body.length + 5)], bytes: body, isCorrect: false }),
  twice: (body) => ({ headers: [length(body.length), length(body.length + 1)], bytes: body, isCorrect: false }),
  both: (body) => ({ headers: [length(body.length), chunkedHeader], bytes: chunks(body), isCorrect: false }),
  broken: (body) => ({
    headers: [chunkedHeader],
    bytes: Buffer.concat([Buffer.from("zz\r\n"), body, Buffer.from("\r\n0\r\n\r\n")]),
    isCorrect: false,
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
