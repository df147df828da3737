/** Successful answers as JSON, by serialisers that are made from the contract's schemas. */
import type { OperationId, ResultOf, Schemas } from "@chain-query/types";
import fastJson, { type Schema } from "fast-json-stringify";
import { bytesOfJson, textOfJson } from "../lasting.ts";
import { components, documentName, type JsonObject, operations } from "./bundle.ts";

type Write<Value> = (value: Value) => string;

/**
 * Makes the whole answer of an operation, the envelope with the result and the identifier of the request: one text, or three parts of
 * which the middle one is kept for the next answer of the same result.
 */
export type Success<Id extends OperationId> = (result: ResultOf<Id>, extra: string) => string | Parts;

/** An answer that is sent as it lies, without being put together. */
export type Parts = readonly [before: string, result: Buffer, after: string];

const document: JsonObject = withPlainUnions(components);

/** The answers of all operations. */
export const successes: { readonly [Id in OperationId]: Success<Id> } = {
  ...(Object.fromEntries(operations.map(({ id, result }) => [id, successOf(writerOf(result))])) as {
    [Id in OperationId]: Success<Id>;
  }),
  getTransactionsStd: (page, extra) => [before, pageBytes(page), after(extra)],
  tryLocateResultTx: (transaction, extra) => [before, locatedBytes(transaction), after(extra)],
  tryLocateSourceTx: (transaction, extra) => [before, locatedBytes(transaction), after(extra)],
};

function successOf<Result extends object>(write: Write<Result>): (result: Result, extra: string) => string {
  return (result, extra) => before + textOfJson(result, write) + after(extra);
}

const before = '{"ok":true,"result":';

function after(extra: string): string {
  return `,"@extra":${JSON.stringify(extra)}}`;
}

const writeTransaction: Write<Schemas["raw.transaction"]> = writerOf({
  $ref: `${documentName}#/components/schemas/raw.transaction`,
});

/** A listed transaction as JSON. */
export function transactionBytes(transaction: Schemas["raw.transaction"]): Buffer {
  return bytesOfJson(transaction, (one) => owned(writeTransaction(one)));
}

const writeLocated: Write<Schemas["ext.transaction"]> = writerOf({
  $ref: `${documentName}#/components/schemas/ext.transaction`,
});

/** A located transaction as JSON. */
export function locatedBytes(transaction: Schemas["ext.transaction"]): Buffer {
  return bytesOfJson(transaction, (one) => owned(writeLocated(one)));
}

const writePageFrame: Write<Schemas["raw.transactions"]> = writerOf({
  $ref: `${documentName}#/components/schemas/raw.transactions`,
});
const pageGap = '"transactions":[';
const comma = Buffer.from(",");

/** A page as JSON: its transactions, each made once, in the frame that the page's own schema gives them. */
export function pageBytes(page: Schemas["raw.transactions"]): Buffer {
  return bytesOfJson(page, ({ transactions, ...rest }) => {
    const frame = writePageFrame({ ...rest, transactions: [] });
    const at = frame.indexOf(pageGap) + pageGap.length;
    const parts: Uint8Array[] = [Buffer.from(frame.slice(0, at))];
    for (const transaction of transactions) {
      if (parts.length > 1) parts.push(comma);
      parts.push(transactionBytes(transaction));
    }
    parts.push(Buffer.from(frame.slice(at)));
    return Buffer.concat(parts);
  });
}

/** Bytes of their own: a part of a pool, kept for long, would keep the whole pool. */
function owned(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function writerOf<Value>(schema: JsonObject): Write<Value> {
  // The library's type of a schema knows fewer of its keywords than the library does.
  return fastJson(schema as unknown as Schema, { schema: { [documentName]: document as unknown as Schema } });
}

/**
 * The serialiser finds out which schema of a union fits by validating against each, which costs more than all the rest. The unions of
 * answers are of objects whose members of one name are of one kind, so that one object with all of them writes the same.
 */
function withPlainUnions(schema: JsonObject): JsonObject {
  const lookUp = (reference: string): unknown =>
    reference
      .slice(reference.indexOf("#") + 2)
      .split("/")
      .reduce<unknown>((part, key) => (part as JsonObject)[key], schema);
  const resolve = (part: unknown): JsonObject => {
    const object = part as JsonObject;
    return typeof object["$ref"] === "string" ? resolve(lookUp(object["$ref"])) : object;
  };
  return JSON.parse(JSON.stringify(schema), (_, part: unknown) => {
    if (typeof part !== "object" || part === null || !("oneOf" in part) || !("discriminator" in part)) return part;
    const kinds = (part.oneOf as unknown[]).map(resolve);
    const properties = Object.assign({}, ...kinds.map((kind) => kind["properties"]));
    return { type: "object", properties: { ...properties, "@type": { type: "string" } } };
  });
}
