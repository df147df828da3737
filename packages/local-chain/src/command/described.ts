/** A value with the text that a person reads in place of it. */
export class Told {
  readonly value: string | number | boolean;
  readonly text: string;

  constructor(value: string | number | boolean, text: string) {
    this.value = value;
    this.text = text;
  }
}

/** Something of a chain in names and values, from which both a tree and JSON are made. What is undefined is left out. */
export interface Described {
  readonly [name: string]: Value;
}
type Value = string | number | Told | Described | readonly (string | Described)[] | undefined;

/** Plain values, for JSON. */
export function jsonOf(value: Value): unknown {
  if (value instanceof Told) return value.value;
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member)]));
}

/** A tree of lines: `name  value`, with what belongs to a name drawn below it. */
export function treeOf(described: Described): string {
  return branches(described, "").join("\n");
}

function branches(described: Described, indent: string): string[] {
  const members = Object.entries(described)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, Value] => [name, Array.isArray(value) && value.length === 0 ? "none" : value]);
  const width = Math.max(0, ...members.filter(([, value]) => isLeaf(value)).map(([name]) => name.length));
  return members.flatMap(([name, value], i) => {
    const isLast = i === members.length - 1;
    const branch = `${indent}${isLast ? "└─ " : "├─ "}`;
    const below = `${indent}${isLast ? "   " : "│  "}`;
    if (isLeaf(value)) return [`${branch}${name.padEnd(width)}  ${textOf(value)}`];
    return [`${branch}${name}`, ...branches(membersOf(value), below)];
  });
}

/** The items of a list are named by their number. */
function membersOf(value: Value): Described {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item, i) => [`${i}`, item]));
  return value as Described;
}

function isLeaf(value: Value): value is string | number | Told {
  return typeof value !== "object" || value instanceof Told;
}

/** Escapes what a terminal would act on or show out of order: comments may hold anything. */
function textOf(value: string | number | Told): string {
  const text = value instanceof Told ? value.text : `${value}`;
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
