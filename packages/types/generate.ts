/** Writes src/openapi.gen.ts from the bundle. */
import { readFileSync, writeFileSync } from "node:fs";
import { typesOf } from "./bundle-types.ts";

const bundle = new URL(import.meta.resolve("@chain-query/openapi/openapi.json"));

writeFileSync(
  new URL("src/openapi.gen.ts", import.meta.url),
  `/** Generated from @chain-query/openapi by \`pnpm generate\`. Do not edit: change the contract. */\n\n${await typesOf(readFileSync(bundle, "utf8"))}`,
);
