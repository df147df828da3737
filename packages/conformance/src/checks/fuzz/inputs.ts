/** Random inputs: valid ones made from the contract's schemas, and broken ones made from those. */
import fc from "fast-check";
import { friendlyAddressOf } from "../../address.ts";
import { resolved } from "../../contract/answer-schemas.ts";
import { has, isObject, segmentsOf } from "../../json.ts";

type Arbitrary = fc.Arbitrary<unknown>;

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const raw = fc.tuple(fc.constantFrom(-1, 0), fc.uint8Array({ minLength: 32, maxLength: 32 }));

const address = fc.oneof(
  raw.map(([workchain, account]) => `${workchain}:${Buffer.from(account).toString("hex")}`),
  raw.map(([workchain, account]) => `${workchain}:${Buffer.from(account).toString("hex").toUpperCase()}`),
  raw.map(([workchain, account]) => friendlyAddressOf(workchain, account)),
  raw.map(([workchain, account]) => friendlyAddressOf(workchain, account).replaceAll("-", "+").replaceAll("_", "/")),
);

/** An integer as a number or as text; text only if a JSON number cannot hold it exactly. */
function integer(min: bigint, max: bigint): Arbitrary {
  return fc.bigInt({ min, max }).chain((value): Arbitrary => {
    const isSafe = BigInt(Number(value)) === value && Number.isSafeInteger(Number(value));
    return isSafe ? fc.constantFrom<unknown>(Number(value), String(value)) : fc.constant(String(value));
  });
}

/** Values of schemas whose exact range stands in a decision or a description instead. */
const knownSchemas: Readonly<Record<string, Arbitrary>> = {
  Address: address,
  AddressOrEmpty: fc.oneof(address, fc.constant("")),
  LogicalTime: fc.bigInt({ min: 0n, max: int64.max }).map(String),
  LogicalTimeInput: integer(0n, int64.max),
  SeqnoInput: integer(1n, 2n ** 32n - 1n),
  ShardIdInput: integer(int64.min, int64.max),
  UnixTimeInput: integer(0n, 2n ** 32n - 1n),
  WorkchainInput: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<unknown>(-1, 0, "-1", "0") },
    { weight: 1, arbitrary: integer(-(2n ** 31n), 2n ** 31n - 1n) },
  ),
};

/** Values that a schema allows. */
export function valuesOf(schema: unknown): Arbitrary {
  const name = has(schema, "$ref") ? segmentsOf(String(schema["$ref"])).at(-1) : undefined;
  const known = name === undefined ? undefined : knownSchemas[name];
  if (known !== undefined) return known;
  const plain = resolved(schema);
  if (!isObject(plain)) return fc.anything();
  const { oneOf, type, pattern, properties, required } = plain;
  if (Array.isArray(oneOf)) return fc.oneof(...oneOf.map(valuesOf));
  if (type === "boolean") return fc.boolean();
  if (type === "integer")
    return fc.integer({ min: Number(plain["minimum"] ?? 0), max: Number(plain["maximum"] ?? 2 ** 31 - 1) });
  if (type === "string") return typeof pattern === "string" ? fc.stringMatching(new RegExp(pattern)) : fc.string();
  const members = Object.entries(isObject(properties) ? properties : {}).map(
    ([member, value]) => [member, valuesOf(value)] as const,
  );
  const always = Array.isArray(required) ? required.map(String) : [];
  return fc.record(Object.fromEntries(members), { requiredKeys: always });
}

/** Any code points, lone surrogates included. fast-check's own "binary" unit takes over half a second to initialise. */
const anyText = fc.string({ unit: fc.nat({ max: 0x10ffff }).map((codePoint) => String.fromCodePoint(codePoint)) });

const hostile: Arbitrary = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    "",
    " ",
    "0",
    "-0",
    "+1",
    "1e3",
    "0x10",
    "NaN",
    "null",
    -0,
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    2 ** 63,
    [],
    {},
    [[]],
  ),
  fc.constantFrom(
    "\u0000",
    "\r\n",
    "\ud800",
    "\u202e",
    "é",
    "💥",
    "%00",
    "../..",
    "' OR 1=1 --",
    "{{x}}",
    "__proto__",
    "9".repeat(400),
    "A".repeat(5000),
  ),
  anyText,
  fc.double(),
  fc.bigInt().map(String),
  fc.jsonValue(),
);

/** An input with a member replaced, added or removed, or replaced as a whole; the result may still be valid. */
export function brokenFrom(input: Readonly<Record<string, unknown>>): Arbitrary {
  const members = Object.keys(input);
  const put = fc.tuple(fc.constantFrom("no_such_member", "__proto__", "", ...members), hostile).map(([member, value]) => ({
    ...Object.fromEntries(Object.entries(input)),
    ...Object.fromEntries([[member, value]]),
  }));
  const lost = members.length === 0 ? put : fc.constantFrom(...members).map((member) => without(input, member));
  return fc.oneof({ weight: 5, arbitrary: put }, { weight: 1, arbitrary: lost }, { weight: 1, arbitrary: hostile });
}

function without(input: Readonly<Record<string, unknown>>, member: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== member));
}
