/** Results as JSON, written by serialisers that are compiled from the contract's schemas. */
import { createHash } from "node:crypto";
import { operations, type Schema, schemas } from "@chain-query/openapi/operations";
import type { OperationId, ResultOf, Schemas } from "@chain-query/types";
import fastJson, { type Schema as SerialiserSchema } from "fast-json-stringify";

/** The JSON of a value. Handlers return it for results that are written once and sent many times. */
export class Encoded<Value extends object> {
  /** A short result is text, which is concatenated with the envelope; a long one is bytes, which are sent uncopied. */
  readonly json: string | Buffer;
  /** Whether the chain can no longer change it: neither a newer block nor the retention, except that it may no longer be read. */
  readonly isSettled: boolean;
  #tag: string | undefined;
  /** Never set: tells the compiler of which type the JSON is. */
  declare readonly of?: Value;

  constructor(json: string | Buffer, isSettled = false) {
    this.json = json;
    this.isSettled = isSettled;
  }

  /** Identifies the JSON, as an ETag does. */
  get tag(): string {
    this.#tag ??= createHash("sha256").update(this.json).digest("base64url").slice(0, 22);
    return this.#tag;
  }
}

type Write<Value> = (value: Value) => string;

const writers = Object.fromEntries(operations.map(({ id, result }) => [id, writerOf(result)])) as {
  readonly [Id in OperationId]: Write<ResultOf<Id>>;
};

/** The JSON of an operation's result. */
export function encode<Id extends OperationId>(id: Id, result: ResultOf<Id>): string {
  const write: Write<ResultOf<Id>> = writers[id];
  return write(result);
}

/** The JSON of one transaction of a list. */
export const encodeTransaction: Write<Schemas["raw.transaction"]> = writerOf(schemas["raw.transaction"]);

/** Encodes a result once for each object of the chain that it is made from. */
export function encodeOnce<From extends object, Id extends OperationId>(
  id: Id,
): (from: From, make: () => ResultOf<Id>) => Encoded<ResultOf<Id>> {
  const known = new WeakMap<From, Encoded<ResultOf<Id>>>();
  return (from, make) => {
    const same = known.get(from);
    if (same !== undefined) return same;
    const encoded = new Encoded<ResultOf<Id>>(flatText(encode(id, make())));
    known.set(from, encoded);
    return encoded;
  };
}

/** The text of a serialiser, which is a rope of many parts, in one part: V8 would flatten it each time it is sent. */
export function flatText(text: string): string {
  return Buffer.from(text).toString();
}

/** A text as bytes that share no memory: a slice of Node's buffer pool would keep the whole pool alive. */
export function unpooledBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function writerOf<Value>(schema: Schema | undefined): Write<Value> {
  if (schema === undefined) throw new TypeError("the contract lacks a schema that the server needs");
  return fastJson(withoutUnions(schema));
}

/**
 * Replaces each union by one object schema with the members of all its cases. The serialiser would validate a value against each case to
 * find out which one fits, which costs more than all the rest. Members of one name have one type in all cases, so the JSON is the same.
 */
function withoutUnions(schema: Schema): SerialiserSchema {
  return JSON.parse(JSON.stringify(schema), (_, part: Schema) => {
    if (part?.oneOf === undefined || part.discriminator === undefined) return part;
    const properties = Object.assign({}, ...part.oneOf.map((kind) => kind.properties));
    return { type: "object", properties: { ...properties, "@type": { type: "string" } } };
  });
}
