/** Values that never change and are answered again and again: their JSON is made once. */

interface Json {
  bytes?: Buffer;
  text?: string;
}

const kept = new WeakMap<object, Json>();

/**
 * Says that a value never changes from now on, so that its JSON can be kept for as long as the value is.
 *
 * @example
 * ```ts
 * const info = lasting({ "@type": "blocks.masterchainInfo", … });
 * ```
 */
export function lasting<Value extends object>(value: Value): Value {
  kept.set(value, {});
  return value;
}

/**
 * The JSON of a value as bytes; of a lasting one, made once.
 *
 * @param write - Always the same for the same value.
 */
export function bytesOfJson<Value extends object>(value: Value, write: (value: Value) => Buffer): Buffer {
  const json = kept.get(value);
  if (json === undefined) return write(value);
  json.bytes ??= write(value);
  return json.bytes;
}

/**
 * A value of which only the JSON is kept, which takes a third of the memory and gives the garbage collector nothing to walk through.
 * Whoever reads a member of it has the JSON parsed.
 */
export function heldAsJson<Value extends object>(bytes: Buffer): Value {
  const whole = (): object => JSON.parse(bytes.toString());
  const value = new Proxy(
    {},
    {
      // A promise of it asks whether it is a promise too; the contract has no member of that name.
      get: (_, name) => (name === "then" ? undefined : Reflect.get(whole(), name)),
      has: (_, name) => Reflect.has(whole(), name),
      ownKeys: () => Reflect.ownKeys(whole()),
      getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(whole(), name),
    },
  );
  kept.set(value, { bytes });
  // It is what the JSON was made of.
  return value as Value;
}

/** The same as text. What is kept is one piece: the serialiser's many would be put together again each time. */
export function textOfJson<Value extends object>(value: Value, write: (value: Value) => string): string {
  const json = kept.get(value);
  if (json === undefined) return write(value);
  json.text ??= Buffer.from(write(value)).toString();
  return json.text;
}

/**
 * Remembers what is made of a thing for as long as the thing is.
 *
 * @example
 * ```ts
 * const ofHead = perThing<Head, Info>();
 * const info = ofHead(head, () => ({ … }));
 * ```
 */
export function perThing<Thing extends object, Made extends object>(): (thing: Thing, make: () => Made) => Made {
  const known = new WeakMap<Thing, Made>();
  return (thing, make) => {
    const same = known.get(thing);
    if (same !== undefined) return same;
    const made = lasting(make());
    known.set(thing, made);
    return made;
  };
}
