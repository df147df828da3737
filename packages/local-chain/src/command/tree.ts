import type { ExtraCurrency } from "@chain-query/format/store";

/** A value with a more readable text for the tree. */
export class Readable {
  readonly value: string | number | boolean;
  readonly text: string;

  constructor(value: string | number | boolean, text: string) {
    this.value = value;
    this.text = text;
  }
}

/** Names and values, printed as a tree or as JSON. Undefined members are left out. */
export interface Description {
  readonly [name: string]: Value;
}
type Value = string | number | Readable | Description | readonly (string | Description)[] | undefined;

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Unix seconds, in the tree with the date. */
export function time(seconds: number): Readable {
  return new Readable(seconds, `${new Date(seconds * 1000).toISOString().replace(".000Z", "Z")} (${seconds})`);
}

/** A bag of cells in base64, in the tree its size. */
export function cells(boc: Uint8Array): Readable {
  return new Readable(base64(boc), `${boc.length} bytes`);
}

export function currencies(extra: readonly ExtraCurrency[]): Description | undefined {
  if (extra.length === 0) return undefined;
  return Object.fromEntries(extra.map(({ id, amount }) => [`currency ${id}`, `${amount}`]));
}

/** Plain values, for JSON. */
export function toJson(value: Value): unknown {
  if (value instanceof Readable) return value.value;
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJson(member)]));
}

/** A tree with a line for each name. */
export function toTree(description: Description): string {
  return branches(description, "").join("\n");
}

function branches(description: Description, indent: string): string[] {
  const members = Object.entries(description)
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

/** Items of a list are named by their index. */
function membersOf(value: Value): Description {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item, i) => [`${i}`, item]));
  return value as Description;
}

function isLeaf(value: Value): value is string | number | Readable {
  return typeof value !== "object" || value instanceof Readable;
}

/** Escapes control and formatting characters: comments may contain any. */
function textOf(value: string | number | Readable): string {
  const text = value instanceof Readable ? value.text : `${value}`;
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
