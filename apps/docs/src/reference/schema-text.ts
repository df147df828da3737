/** The types of the contract's schemas in words. */
import type { Schema } from "@chain-query/openapi/operations";

interface Wording {
  /** Writes a link to a schema that has a place of its own. */
  link: (schema: Schema) => string | undefined;
  /** Keywords to show. */
  keywords: readonly (keyof Schema)[];
}

/** A link to a schema, or the schema's type in a few words with the bounds of its values. */
export function typeText(schema: Schema, wording: Wording): string {
  return wording.link(schema) ?? shapeText(schema, wording);
}

/** The type in a few words, with the bounds of its values. */
export function shapeText(schema: Schema, wording: Wording): string {
  if (schema.oneOf !== undefined) return schema.oneOf.map((one) => typeText(one, wording)).join(" or ");
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  if (schema.items !== undefined) return `array of ${typeText(schema.items, wording)}`;
  const bounds = wording.keywords.flatMap((keyword) =>
    schema[keyword] === undefined ? [] : [`${keyword} \`${schema[keyword]}\``],
  );
  return [[schema.type].flat().join(" or "), ...bounds].join(", ");
}
