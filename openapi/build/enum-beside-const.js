/**
 * A plugin of Redocly: the bundle has `enum: [x]` beside each `const: x`, for generators that know only `enum`. See
 * https://github.com/astahmer/openapi-zod-client/issues/326.
 */
const decorator = () => ({
  Schema: {
    leave(schema) {
      if ("const" in schema) schema.enum = [schema.const];
    },
  },
});

export default function plugin() {
  return { id: "bundle", decorators: { oas3: { "enum-beside-const": decorator } } };
}
