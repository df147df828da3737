import { readFileSync } from "node:fs";
import { operations, schemas } from "@chain-query/openapi/operations";
import { expect, test } from "vitest";
import { bigintTypes } from "../bigint-types.ts";

test("bigints.gen.ts is generated from the contract", () => {
  const written = readFileSync(new URL("../src/bigints.gen.ts", import.meta.url), "utf8");
  expect(bigintTypes(operations, schemas)).toBe(written);
});

test("a result needs a schema with a name", () => {
  const [operation = expect.unreachable()] = operations;
  const { title, ...unnamed } = operation.result;
  expect(title).toBe("raw.fullAccountState");
  expect(() => bigintTypes([{ ...operation, result: unnamed }], schemas)).toThrow(
    "getAddressInformation: its result needs a schema of its own, whose name types have",
  );
});
