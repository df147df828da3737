import { describe, expect, test } from "vitest";
import { typesOf } from "../bundle-types.ts";
import { breaksOf } from "../compatibility/breaks.ts";

/** One operation that responds with its request body, as a bundle. */
const contract = (asked: string, answered: string) => `
openapi: 3.1.0
info: { title: Echo, version: 1.0.0 }
paths:
  /echo:
    post:
      operationId: echo
      requestBody: { required: true, content: { application/json: { schema: ${asked} } } }
      responses: { "200": { description: It., content: { application/json: { schema: ${answered} } } } }
`;
const word = "{ type: object, required: [word], properties: { word: { type: string } } }";
const number = "{ type: object, required: [word], properties: { word: { type: integer } } }";
const nested = (inner: string) => `{ type: object, required: [all], properties: { all: { type: array, items: ${inner} } } }`;

async function breaks(released: string, current: string) {
  return breaksOf(await typesOf(released), await typesOf(current));
}

describe("breaksOf", () => {
  test("finds nothing between the same types", async () => {
    expect(await breaks(contract(word, word), contract(word, word))).toEqual([]);
  });

  test("names the operation, the half and the member that differs", async () => {
    expect(await breaks(contract(nested(word), word), contract(nested(number), word))).toEqual([
      { name: "echo", half: "request", detail: "body.all.word: Type 'string' is not assignable to type 'number'." },
    ]);
    expect(await breaks(contract(word, nested(word)), contract(word, nested(number)))).toEqual([
      {
        name: "echo",
        half: "response",
        detail: `200.content["application/json"].all.word: Type 'number' is not assignable to type 'string'.`,
      },
    ]);
  });

  test("names a member that a request may no longer have", async () => {
    const more = `{ type: object, properties: { word: { type: string }, more: { type: array, items: ${word} } } }`;
    const less = "{ type: object, properties: { word: { type: string } } }";
    expect(await breaks(contract(more, word), contract(less, word))).toEqual([
      { name: "echo", half: "request", detail: "no longer known: body.more, body.more.word" },
    ]);
  });

  test("names a removed operation", async () => {
    const renamed = contract(word, word).replace("operationId: echo", "operationId: repeat");
    expect(await breaks(contract(word, word), renamed)).toEqual([
      { name: "echo", half: "name", detail: "no longer known: echo" },
    ]);
  });

  test("refuses types that do not compile", () => {
    expect(() => breaksOf("export interface operations {", "")).toThrow("do not compile");
  });
});
