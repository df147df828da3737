/** Calls of the functions of a lite server: written and read, by the client and by the server. */
import { shortText } from "@chain-query/format/error";
import { LiteError } from "../lite-error.ts";
import { TlReader, TlWriter } from "./bytes.ts";
import { hex, type RecordCodec, Scheme, unqualified } from "./codec.ts";
import { functions, type LiteAnswer, type LiteArguments, type LiteFunction, types, waitPrefix } from "./scheme.ts";

const scheme = new Scheme(types);
const compiled = functions.map((line) => scheme.compile(line));
const functionById: ReadonlyMap<number, RecordCodec> = new Map(compiled.map((codec) => [codec.id, codec]));
const functionByName: ReadonlyMap<string, RecordCodec> = new Map(compiled.map((codec) => [unqualified(codec.name), codec]));
const errorType = scheme.boxed("liteServer.Error");
const errorId = scheme.bare("liteServer.error").id;
const wait = scheme.compile(waitPrefix);

/** A function of a lite server with its arguments, ready to be sent. */
export interface LiteQuery<Answer> {
  /** The name of the function, `liteServer.` left out. */
  readonly name: string;
  /** The TL bytes of the function, without the envelope `liteServer.query`. */
  readonly bytes: Uint8Array;
  /**
   * Reads the answer.
   *
   * @throws LiteError of kind "protocol" if the bytes are not an answer to this query, and "refused", with its code, for a
   * `liteServer.error`.
   */
  read(answer: Uint8Array): Answer;
}

/** A block that a server waits for before it answers. */
export interface LiteWait {
  /** Number of a masterchain block. */
  readonly seqno: number;
  /** Servers wait 10 seconds at most. */
  readonly timeoutMs: number;
}

/** Makes a query of each function. */
export type LiteQueries = {
  readonly [Name in LiteFunction]: Record<never, never> extends LiteArguments<Name>
    ? () => LiteQuery<LiteAnswer<Name>>
    : (args: LiteArguments<Name>) => LiteQuery<LiteAnswer<Name>>;
};

/**
 * Makes a query of each function of a lite server. A wrong argument throws a `TypeError`. A seqno is a signed integer of 32 bits: the
 * newest block, 0xffffffff, is -1.
 *
 * @example
 * ```ts
 * const query = queries.getAccountState({ id: head, account: { workchain: 0, hash } });
 * const { state } = query.read(await connection.query(query.bytes, signal));
 * ```
 */
export const queries: LiteQueries = Object.fromEntries(
  [...functionByName].map(([name, codec]) => [
    name,
    (args: unknown = {}): LiteQuery<unknown> => ({
      name,
      bytes: written(codec, args),
      read: (answer) => readAnswer(codec, answer),
    }),
  ]),
) as unknown as LiteQueries;

/**
 * The same query, but the server answers only once it has a block.
 *
 * @example
 * ```ts
 * const next = withWait(queries.getMasterchainInfo(), { seqno: head.seqno + 1, timeoutMs: 10_000 });
 * ```
 */
export function withWait<Answer>(query: LiteQuery<Answer>, waitFor: LiteWait): LiteQuery<Answer> {
  const prefix = written(wait, waitFor);
  return { ...query, bytes: Buffer.concat([prefix, query.bytes]) };
}

/** A call of one of the functions, as a server receives it. */
export type LiteCall = {
  readonly [Name in LiteFunction]: {
    readonly name: Name;
    readonly args: LiteArguments<Name>;
    readonly waitFor: LiteWait | undefined;
  };
}[LiteFunction];

/**
 * Reads a call, the server's half of `queries`.
 *
 * @throws LiteError of kind "protocol" with the code to answer with `writeError`: 621 if the function is unknown, 601 if its arguments
 * are not TL.
 * @example
 * ```ts
 * const call = readQuery(bytes);
 * if (call.name === "getTime") return writeAnswer(call.name, { now: Math.floor(Date.now() / 1000) });
 * ```
 */
export function readQuery(bytes: Uint8Array): LiteCall {
  const reader = new TlReader(bytes);
  try {
    let id = reader.uint();
    const waitFor = id === wait.id ? wait.read(reader) : undefined;
    if (waitFor !== undefined) id = reader.uint();
    const codec = functionById.get(id);
    if (codec === undefined) throw new LiteError("protocol", `unknown function ${hex(id)}`, { code: 621 });
    const args = codec.read(reader);
    reader.end();
    return { name: unqualified(codec.name), args, waitFor } as unknown as LiteCall;
  } catch (error) {
    if (!(error instanceof LiteError) || error.code !== undefined) throw error;
    throw new LiteError("protocol", error.message, { code: 601, cause: error });
  }
}

/**
 * Writes the answer of a function, the server's half of `LiteQuery.read`. A wrong field throws a `TypeError`.
 *
 * @example
 * ```ts
 * writeAnswer("getTime", { now: 1_700_000_000 });
 * ```
 */
export function writeAnswer<Name extends LiteFunction>(name: Name, answer: LiteAnswer<Name>): Uint8Array {
  const codec = functionByName.get(name);
  if (codec === undefined) throw new TypeError(`name must be a function of a lite server, got ${name}`);
  const writer = new TlWriter();
  scheme.boxed(codec.result).write(writer, answer);
  return writer.finish();
}

/**
 * Writes an answer that refuses a call.
 *
 * @example
 * ```ts
 * writeError(651, "block is not applied (last known masterchain block: 7)");
 * ```
 */
export function writeError(code: number, message: string): Uint8Array {
  const writer = new TlWriter();
  errorType.write(writer, { code, message });
  return writer.finish();
}

function written(codec: RecordCodec, value: unknown): Uint8Array {
  const writer = new TlWriter().uint(codec.id);
  codec.write(writer, value);
  return writer.finish();
}

function readAnswer({ name, result }: RecordCodec, bytes: Uint8Array): unknown {
  const reader = new TlReader(bytes);
  const isError = reader.peekUint() === errorId;
  const answer = (isError ? errorType : scheme.boxed(result)).read(reader);
  reader.end();
  if (!isError) return answer;
  const { code, message } = answer as { readonly code: number; readonly message: string };
  throw new LiteError("refused", `${unqualified(name)}: ${shortText(message)}`, { code });
}
