import fc from "fast-check";
import { expect, test } from "vitest";
import { LiteError } from "../../src/wire/lite-error.ts";
import { TlReader, TlWriter } from "../../src/wire/tl/bytes.ts";
import { Scheme } from "../../src/wire/tl/codec.ts";
import { queries, readQuery } from "../../src/wire/tl/queries.ts";
import { functions, types } from "../../src/wire/tl/scheme.ts";

const scheme = new Scheme(types);

const bytes = (length: object) => fc.uint8Array(length).map((array) => new Uint8Array(array));
const atoms: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  int: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  "#": fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  long: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  int256: bytes({ minLength: 32, maxLength: 32 }),
  bytes: bytes({ maxLength: 300 }),
  string: fc.string({ unit: "grapheme" }),
  Bool: fc.boolean(),
};

/** Any value of a type, made from the scheme alone. */
function anyOf(type: string): fc.Arbitrary<unknown> {
  const item = /^\(vector (.+)\)$/.exec(type)?.[1];
  if (item !== undefined) return fc.array(anyOf(item), { maxLength: 3 });
  const atom = atoms[type];
  if (atom !== undefined) return atom;
  const bare = types.find((line) => line.split(/[ #]/)[0] === type);
  if (bare !== undefined) return anyRecord(bare);
  const lines = types.filter((line) => line.endsWith(` = ${type}`));
  return fc.oneof(
    ...lines.map((line) => {
      const tag = (line.split(/[ #]/)[0] ?? "").replace(/^\w+\./, "");
      return lines.length === 1 ? anyRecord(line) : anyRecord(line).map((value) => ({ type: tag, ...value }));
    }),
  );
}

function anyRecord(line: string): fc.Arbitrary<object> {
  const fields = [...line.matchAll(/ (\w+):(?:mode\.(\d+)\?)?(\(.*?\)|\S+)/g)].map(([, name = "", bit, type = ""]) => ({
    key: name === "id" && type === "int256" ? "hash" : name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    bit,
    type,
  }));
  const all = fc.record(
    Object.fromEntries(fields.filter(({ type }) => type !== "true").map(({ key, type }) => [key, anyOf(type)])),
  );
  return all.map((value) => {
    const mode = Number(value["mode"]);
    const absent = fields.filter(({ bit }) => bit !== undefined && (mode & (1 << Number(bit))) === 0).map(({ key }) => key);
    return Object.fromEntries(Object.entries(value).filter(([key]) => !absent.includes(key)));
  });
}

test.each([...types, ...functions])("written values are read back: %s", (line) => {
  const codec = scheme.compile(line);
  fc.assert(
    fc.property(anyRecord(line), (value) => {
      const writer = new TlWriter();
      codec.write(writer, value);
      const reader = new TlReader(writer.finish());
      expect(codec.read(reader)).toEqual(value);
      reader.end();
    }),
    { numRuns: 30, seed: 1 },
  );
});

test("random bytes give only a LiteError", () => {
  const ids = [...types, ...functions].map((line) => scheme.compile(line).id);
  const bytesOfOne = fc
    .tuple(fc.constantFrom(...ids), bytes({ maxLength: 400 }))
    .map(([id, rest]) => new TlWriter().uint(id).raw(rest).finish());
  const reads = [
    readQuery,
    ...[...new Set(types.map((line) => line.split(" = ")[1] ?? ""))].map((type) => readBoxed(type)),
    queries.getTime().read,
  ];
  fc.assert(
    fc.property(bytesOfOne, (object) => {
      for (const read of reads) {
        try {
          read(object);
        } catch (error) {
          expect(error).toBeInstanceOf(LiteError);
        }
      }
    }),
    { numRuns: 200, seed: 1 },
  );
});

function readBoxed(type: string): (object: Uint8Array) => unknown {
  return (object) => scheme.boxed(type).read(new TlReader(object));
}
