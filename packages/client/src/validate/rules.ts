/** The functions that the contract's schemas are compiled to, one for each keyword. */

/** A problem and its path, such as `.result.last.seqno`, relative to the checked value. */
type Issue = readonly [path: string, text: string];

/** Returns the problems of a value. */
export type Rule = (value: unknown) => readonly Issue[];

type TypeName = "string" | "boolean" | "integer" | "number" | "null" | "array" | "object";

type Members = Readonly<Record<string, Rule>>;

const none: readonly Issue[] = [];
const anything: readonly Issue[] = [["", "expected a value, got nothing"]];

const types: Record<TypeName, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  integer: Number.isInteger,
  number: Number.isFinite,
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** A rule that accepts or rejects a value as a whole. */
function test(accepts: (value: unknown) => boolean, expected: string): Rule {
  return (value) => (accepts(value) ? none : [["", `expected ${expected}, got ${shown(value)}`]]);
}

/** Keywords of JSON Schema apply only to values of their type. */
const text = (accepts: (value: string) => boolean, expected: string): Rule =>
  test((value) => typeof value !== "string" || accepts(value), expected);
const number = (accepts: (value: number) => boolean, expected: string): Rule =>
  test((value) => typeof value !== "number" || accepts(value), expected);
const array = (accepts: (value: readonly unknown[]) => boolean, expected: string): Rule =>
  test((value) => !Array.isArray(value) || accepts(value), expected);
const passing = (choices: readonly Rule[], value: unknown): number => choices.filter((rule) => rule(value).length === 0).length;

/** One function for each keyword, by its name, in the order in which they are tried. */
export const rules = {
  type: (...names: TypeName[]): Rule => test((value) => names.some((name) => types[name](value)), names.join(" or ")),
  const: (only: unknown): Rule => test((value) => value === only, shown(only)),
  enum: (...values: unknown[]): Rule => test((value) => values.includes(value), oneOfThese(values)),
  pattern: (pattern: RegExp): Rule => text((value) => pattern.test(value), `text like ${pattern}`),
  minLength: (least: number): Rule => text((value) => [...value].length >= least, `text of ${least} characters or more`),
  maxLength: (most: number): Rule => text((value) => [...value].length <= most, `text of ${most} characters or fewer`),
  minimum: (least: number): Rule => number((value) => value >= least, `${least} or more`),
  maximum: (most: number): Rule => number((value) => value <= most, `${most} or less`),
  exclusiveMinimum: (bound: number): Rule => number((value) => value > bound, `more than ${bound}`),
  exclusiveMaximum: (bound: number): Rule => number((value) => value < bound, `less than ${bound}`),
  minItems: (least: number): Rule => array((value) => value.length >= least, `${least} items or more`),
  maxItems: (most: number): Rule => array((value) => value.length <= most, `${most} items or fewer`),
  items:
    (rule: Rule): Rule =>
    (value) =>
      Array.isArray(value) ? value.flatMap((item, index) => within(`[${index}]`, rule(item))) : none,
  /** `properties` with `required`; members that the contract does not name are accepted, as it promises. */
  properties: (members: Members, ...required: string[]): Rule => {
    const each = [...new Set([...Object.keys(members), ...required])].map((name) => {
      const rule = members[name] ?? (() => none);
      const missing = required.includes(name) ? rule(undefined) : none;
      const absent = required.includes(name) && missing.length === 0 ? anything : missing;
      return { name, rule, absent: within(`.${name}`, absent) };
    });
    return (value) => {
      if (!types.object(value)) return none;
      const given = value as Record<string, unknown>;
      return each.flatMap(({ name, rule, absent }) =>
        Object.hasOwn(given, name) ? within(`.${name}`, rule(given[name])) : absent,
      );
    };
  },
  /** `oneOf` with a `discriminator`: the tag selects the rule. */
  discriminator: (tag: string, byTag: Members): Rule => {
    const tagged = all(rules.type("object"), rules.properties({ [tag]: rules.enum(...Object.keys(byTag)) }, tag));
    return all(tagged, (value) => byTag[(value as Record<string, string>)[tag] ?? ""]?.(value) ?? none);
  },
  allOf: (...each: Rule[]): Rule => all(...each),
  anyOf: (...choices: Rule[]): Rule =>
    test((value) => passing(choices, value) > 0, `what at least one of ${choices.length} schemas accepts`),
  oneOf: (...choices: Rule[]): Rule =>
    test((value) => passing(choices, value) === 1, `what exactly one of ${choices.length} schemas accepts`),
};

/** Applies rules up to the first that fails: a wrong pattern adds nothing to a wrong type. */
export function all(...each: Rule[]): Rule {
  return (value) => {
    for (const rule of each) {
      const issues = rule(value);
      if (issues.length > 0) return issues;
    }
    return none;
  };
}

function within(place: string, issues: readonly Issue[]): readonly Issue[] {
  return issues.length === 0 ? none : issues.map(([path, said]) => [place + path, said]);
}

function oneOfThese(values: readonly unknown[]): string {
  return `one of ${values.map(shown).join(", ")}`;
}

/** Shows a text completely or not at all: part of a key that a deployment repeats could not be redacted. */
function shown(value: unknown): string {
  if (typeof value === "string") return /^[ -~]{0,40}$/.test(value) ? `"${value}"` : `text of ${value.length} characters`;
  if (value === undefined) return "nothing";
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? `a list of ${value.length}` : "an object";
}
