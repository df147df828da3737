/** Inputs are camelCase in TypeScript and snake_case on the wire; answers keep their wire names. */

/** `created_lt` becomes `createdLt`. */
export type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

/** The members of each alternative of a request, under their camelCase names. */
export type CamelCased<Wire> = Wire extends unknown ? { [Name in keyof Wire as CamelCase<Name>]: Wire[Name] } : never;

/** Writes inputs under their wire names and leaves out what is undefined. */
export function toWire(input: object): Record<string, unknown> {
  const members = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    members.map(([name, value]) => [name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`), value]),
  );
}
