/** Compiles the lines of a TL scheme to codecs, which read and write values. */
import { crc32 } from "node:zlib";
import { LiteError } from "../lite-error.ts";
import type { TlReader, TlWriter } from "./bytes.ts";

interface Codec {
  /** Any value takes at least this many bytes. */
  readonly minBytes: number;
  /** @throws TypeError for a value of another type. */
  write(writer: TlWriter, value: unknown): void;
  read(reader: TlReader): unknown;
}

/** A constructor or a function: the record of its fields, bare. */
export interface RecordCodec extends Codec {
  /** The name in the scheme, such as `liteServer.blockData`. */
  readonly name: string;
  /** The type of the constructor's values, or of the function's result. */
  readonly result: string;
  readonly id: number;
  read(reader: TlReader): Readonly<Record<string, unknown>>;
}

/** The types of a scheme. A line may use the types of the lines before it. */
export class Scheme {
  readonly #bare = new Map<string, RecordCodec>();
  readonly #boxed = new Map<string, Codec>();

  constructor(types: readonly string[]) {
    for (const line of types) {
      const record = this.compile(line);
      this.#bare.set(record.name, record);
      this.#boxed.set(
        record.result,
        boxed(
          record.result,
          [...this.#bare.values()].filter(({ result }) => result === record.result),
        ),
      );
    }
  }

  /** The fields of a constructor. */
  bare(name: string): RecordCodec {
    return known(name, this.#bare.get(name));
  }

  /** The value of a type: a constructor id and the fields. */
  boxed(type: string): Codec {
    return known(type, this.#boxed.get(type));
  }

  compile(line: string): RecordCodec {
    const [left = "", result = ""] = line.split(" = ");
    const [head = "", ...fields] = left.match(/\S+\(.*?\)|\S+/g) ?? [];
    const [name = "", explicit] = head.split("#");
    const id = explicit === undefined ? crc32(line.replaceAll(/[()]/g, "")) : Number.parseInt(explicit, 16);
    return record(
      { name, result, id },
      fields.flatMap((field) => {
        const [, wireName = "", bit, type = ""] = /^(\w+):(?:mode\.(\d+)\?)?(.+)$/.exec(field) ?? [];
        // A flag takes no bytes.
        if (type === "true") return [];
        // The id of an account is the hash of an `AccountId`.
        const key = field === "id:int256" ? "hash" : wireName.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
        const mask = bit === undefined ? 0 : 2 ** Number(bit);
        return [{ key, codec: this.#codec(type, `${name}.${wireName}`), mask }];
      }),
    );
  }

  #codec(type: string, where: string): Codec {
    const atom = atoms[type];
    if (atom !== undefined) return atom(where);
    const [, item] = /^\(vector (.+)\)$/.exec(type) ?? [];
    if (item !== undefined) return vector(this.#codec(item, where), where);
    return this.#bare.get(type) ?? this.boxed(type);
  }
}

interface FieldCodec {
  readonly key: string;
  readonly codec: Codec;
  /** The bit of `mode` for an optional field; 0 for a required one. */
  readonly mask: number;
}

function record(head: Pick<RecordCodec, "name" | "result" | "id">, fields: readonly FieldCodec[]): RecordCodec {
  return {
    ...head,
    minBytes: fields.reduce((sum, { codec, mask }) => (mask === 0 ? sum + codec.minBytes : sum), 0),
    write(writer, value) {
      if (!isRecord(value)) throw mustBe(head.name, "an object", value);
      const mode = Number(value["mode"] ?? 0);
      for (const { key, codec, mask } of fields) {
        const field = value[key];
        if (mask !== 0 && (mode & mask) === 0) {
          if (field !== undefined) throw new TypeError(`${head.name}.${key} must be left out, as mode ${mode} lacks ${mask}`);
        } else codec.write(writer, field);
      }
    },
    read(reader) {
      const value: Record<string, unknown> = {};
      let mode = 0;
      for (const { key, codec, mask } of fields) {
        if (mask !== 0 && (mode & mask) === 0) continue;
        const field = codec.read(reader);
        if (key === "mode") mode = Number(field);
        value[key] = field;
      }
      return value;
    },
  };
}

function boxed(type: string, constructors: readonly RecordCodec[]): Codec {
  const [only] = constructors;
  // The field `type` names one of several constructors, or one whose name differs from its type's.
  const isTagged = constructors.length > 1 || only?.name.toLowerCase() !== type.toLowerCase();
  const tagOf = ({ name }: RecordCodec) => unqualified(name);
  return {
    minBytes: 4 + Math.min(...constructors.map(({ minBytes }) => minBytes)),
    write(writer, value) {
      const tag = isTagged && isRecord(value) ? value["type"] : undefined;
      const made = isTagged ? constructors.find((each) => tagOf(each) === tag) : only;
      if (made === undefined) throw mustBe(`${type}.type`, constructors.map(tagOf).join(" or "), tag);
      made.write(writer.uint(made.id), value);
    },
    read(reader) {
      const id = reader.uint();
      const made = constructors.find((each) => each.id === id);
      if (made === undefined) {
        // The network may add a constructor to a type of several, such as a form of signatures.
        const kind = constructors.length > 1 ? "unsupported" : "protocol";
        throw new LiteError(kind, `TL: constructor ${hex(id)} is not one of ${type}`);
      }
      return isTagged ? { type: tagOf(made), ...made.read(reader) } : made.read(reader);
    },
  };
}

function vector(item: Codec, where: string): Codec {
  return {
    minBytes: 4,
    write(writer, value) {
      if (!Array.isArray(value)) throw mustBe(where, "an array", value);
      writer.uint(value.length);
      for (const each of value) item.write(writer, each);
    },
    read(reader) {
      const count = reader.count(item.minBytes);
      const items: unknown[] = [];
      for (let at = 0; at < count; at++) items.push(item.read(reader));
      return items;
    },
  };
}

const boolTrue = crc32("boolTrue = Bool");
const boolFalse = crc32("boolFalse = Bool");

const atoms: Readonly<Record<string, (where: string) => Codec>> = {
  int: (where) => ({
    minBytes: 4,
    write: (writer, value) => writer.int(integer(where, value, -(2 ** 31), 2 ** 31 - 1)),
    read: (reader) => reader.int(),
  }),
  "#": (where) => ({
    minBytes: 4,
    write: (writer, value) => writer.uint(integer(where, value, 0, 2 ** 32 - 1)),
    read: (reader) => reader.uint(),
  }),
  long: (where) => ({
    minBytes: 8,
    write(writer, value) {
      if (typeof value !== "bigint" || BigInt.asIntN(64, value) !== value)
        throw mustBe(where, "a bigint of 64 bits, signed", value);
      writer.long(value);
    },
    read: (reader) => reader.long(),
  }),
  int256: (where) => ({
    minBytes: 32,
    write(writer, value) {
      if (!(value instanceof Uint8Array) || value.length !== 32) throw mustBe(where, "32 bytes", value);
      writer.raw(value);
    },
    read: (reader) => reader.int256(),
  }),
  bytes: (where) => ({
    minBytes: 4,
    write(writer, value) {
      if (!(value instanceof Uint8Array) || value.length >= 2 ** 24) throw mustBe(where, "fewer than 2^24 bytes", value);
      writer.bytes(value);
    },
    read: (reader) => reader.bytes(),
  }),
  string: (where) => ({
    minBytes: 4,
    write(writer, value) {
      if (typeof value !== "string") throw mustBe(where, "a string", value);
      writer.bytes(Buffer.from(value));
    },
    read: (reader) => reader.string(),
  }),
  Bool: (where) => ({
    minBytes: 4,
    write(writer, value) {
      if (typeof value !== "boolean") throw mustBe(where, "a boolean", value);
      writer.uint(value ? boolTrue : boolFalse);
    },
    read(reader) {
      const id = reader.uint();
      if (id !== boolTrue && id !== boolFalse) throw new LiteError("protocol", `TL: constructor ${hex(id)} is not one of Bool`);
      return id === boolTrue;
    },
  }),
};

/** `liteServer.blockData` is `blockData`. */
export function unqualified(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}

/** A constructor id as the scheme writes it. */
export function hex(id: number): string {
  return id.toString(16).padStart(8, "0");
}

function integer(where: string, value: unknown, min: number, max: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
    throw mustBe(where, `an integer from ${min} to ${max}`, value);
  }
  return value;
}

function known<Type>(name: string, codec: Type | undefined): Type {
  if (codec === undefined) throw new TypeError(`${name} must be a name of the scheme`);
  return codec;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function mustBe(where: string, what: string, value: unknown): TypeError {
  const got = value instanceof Uint8Array ? `${value.length} bytes` : typeof value === "object" ? typeof value : String(value);
  return new TypeError(`${where} must be ${what}, got ${got}`);
}
