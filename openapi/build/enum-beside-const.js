/**
 * A plugin of Redocly: the bundle has `enum: ["x"]` beside each `const: "x"`, for generators that tell objects apart by `enum` only. For a
 * boolean, orval would write `zod.literal(true).literal(true)`, which does not compile. See
 * https://github.com/astahmer/openapi-zod-client/issues/326.
 */
const decorator = () => ({
  Schema: {
    leave(schema) {
      if (typeof schema.const === "string") schema.enum = [schema.const];
    },
  },
});

export default function plugin() {
  return { id: "bundle", decorators: { oas3: { "enum-beside-const": decorator } } };
}
