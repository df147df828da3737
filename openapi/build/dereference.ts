/** Resolves every `$ref` of the bundle, once for all packages: every reference to a schema becomes the same object. */

/** An object of the bundle, whose members are checked when they are read. */
export interface Json {
  readonly [member: string]: unknown;
}

/** Members beside a `$ref` that describe its place and do not change the accepted values. */
const annotations = ["description", "summary", "x-decision"];

/**
 * Replaces each reference by its target, and sets `title` of each named schema to its name. A reference with
 * annotations beside it becomes a copy of the target with these annotations.
 *
 * @throws Error if a reference leads nowhere or back to itself, or has other members beside it
 */
export function dereference(bundle: unknown): Json {
  const root = objectAt(bundle, "the bundle");
  const schemas = Object.entries(objectAt(objectAt(root["components"] ?? {}, "components")["schemas"] ?? {}, "schemas"));
  const titles = new Map(schemas.map(([name, schema]) => [schema, name]));
  const done = new Map<unknown, unknown>();
  const open = new Set<string>();

  function copyOf(value: unknown, where: string): unknown {
    if (typeof value !== "object" || value === null) return value;
    const copy = done.get(value) ?? (Array.isArray(value) ? listOf(value, where) : objectOf(value as Json, where));
    done.set(value, copy);
    return copy;
  }

  function listOf(list: readonly unknown[], where: string): unknown[] {
    return list.map((item, index) => copyOf(item, `${where}/${index}`));
  }

  function objectOf(object: Json, where: string): Json {
    if (typeof object["$ref"] === "string") return targetOf(object["$ref"], object, where);
    const members = Object.entries(object).map(([name, member]) => [name, copyOf(member, `${where}/${name}`)] as const);
    const title = titles.get(object);
    return Object.fromEntries(title === undefined ? members : [["title", title], ...members]);
  }

  function targetOf(reference: string, { $ref: _, ...beside }: Json, where: string): Json {
    const odd = Object.keys(beside).find((name) => !annotations.includes(name));
    if (odd !== undefined) throw new Error(`${where}: expected only ${annotations.join(", ")} beside $ref, got ${odd}`);
    if (open.has(reference)) throw new Error(`${where}: ${reference} contains itself, which no generator supports`);
    open.add(reference);
    const path = reference.replace(/^#\//, "").split("/").map(unescaped);
    const found = path.reduce<unknown>((node, key) => objectAt(node, reference)[key], root);
    const target = objectAt(copyOf(found, reference), reference);
    open.delete(reference);
    return Object.keys(beside).length === 0 ? target : { ...target, ...beside };
  }

  return objectAt(copyOf(root, "#"), "the bundle");
}

/** The value as an object. @throws Error that names the place if it is something else */
export function objectAt(value: unknown, where: string): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  throw new Error(`${where}: expected an object in the bundle`);
}

/** The value as a list; an absent one is empty. */
export function listAt(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function unescaped(key: string): string {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}
