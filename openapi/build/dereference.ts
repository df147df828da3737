/** Resolves every `$ref` of the bundle, once for all packages: what is shared in the bundle is one shared object here. */

/** An object of the bundle, whose members are checked when they are read. */
export interface Json {
  readonly [member: string]: unknown;
}

/** The bundle without references. */
export interface Dereferenced {
  readonly document: Json;
  /** The last name of the reference that led to an object, such as `LogicalTime`. */
  readonly nameOf: (object: object) => string | undefined;
}

/** Members beside a `$ref` that describe its place and do not change what the schema accepts. */
const annotations = ["description", "summary", "x-decision"];

/**
 * Replaces each reference by its target. Where annotations stand beside the reference, it becomes a copy of the target with them.
 *
 * @throws Error if a reference leads nowhere or back to itself, or has other members beside it
 */
export function dereference(bundle: unknown): Dereferenced {
  const root = objectAt(bundle, "the bundle");
  const done = new Map<unknown, unknown>();
  const names = new WeakMap<object, string>();
  const open = new Set<string>();

  function copyOf(value: unknown, where: string): unknown {
    if (typeof value !== "object" || value === null) return value;
    const known = done.get(value);
    if (known !== undefined) return known;
    const copy = Array.isArray(value)
      ? value.map((item, index) => copyOf(item, `${where}/${index}`))
      : typeof (value as Json)["$ref"] === "string"
        ? targetOf(value as Json, where)
        : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member, `${where}/${name}`)]));
    done.set(value, copy);
    return copy;
  }

  function targetOf({ $ref, ...beside }: Json, where: string): Json {
    const reference = String($ref);
    const odd = Object.keys(beside).find((name) => !annotations.includes(name));
    if (odd !== undefined) throw new Error(`${where}: ${odd} stands beside a reference, where only annotations may stand`);
    if (open.has(reference)) throw new Error(`${where}: ${reference} contains itself, which no generator supports`);
    open.add(reference);
    const path = reference.replace(/^#\//, "").split("/").map(unescaped);
    const found = path.reduce<unknown>((node, key) => objectAt(node, reference)[key], root);
    const target = objectAt(copyOf(found, reference), reference);
    open.delete(reference);
    const name = path.at(-1) ?? "";
    names.set(target, names.get(target) ?? name);
    if (Object.keys(beside).length === 0) return target;
    const copy = { ...target, ...beside };
    names.set(copy, names.get(target) ?? name);
    return copy;
  }

  return { document: objectAt(copyOf(root, "#"), "the bundle"), nameOf: (object) => names.get(object) };
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
