/** Writes src/openapi.gen.ts and src/bigints.gen.ts from the bundle. */
import { readFileSync, writeFileSync } from "node:fs";
import { operations, schemas } from "@chain-query/openapi/operations";
import { bigintTypes } from "./bigint-types.ts";
import { typesOf } from "./bundle-types.ts";
import { documentationOf } from "./documentation.ts";

const bundle = new URL(import.meta.resolve("@chain-query/openapi/openapi.json"));
const types = await typesOf(readFileSync(bundle, "utf8"), documentationOf(operations, schemas));

writeFileSync(
  new URL("src/openapi.gen.ts", import.meta.url),
  `/** Generated from @chain-query/openapi by \`pnpm generate\`. Do not edit: change the contract. */\n\n${types}`,
);
writeFileSync(new URL("src/bigints.gen.ts", import.meta.url), bigintTypes(operations, schemas));
