import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiMarkdown } from "../src/client/api-markdown.ts";
import { type EntryPoint, readEntryPoints } from "../src/client/declarations.ts";
import { exportPaths } from "../src/client/pages.ts";

const main = `/**
 * Does things.
 *
 * @example
 * \`\`\`ts
 * import { it } from "@some/package";
 * \`\`\`
 *
 * @module
 */
export { helper } from "./helper.ts";
/**
 * Makes one; see {@link Options} and {@link Unknown}.
 *
 * @example
 * \`\`\`ts
 * // of
 * @decorated
 * make();
 * \`\`\`
 */
export declare function make(first: string, options?: Options, another?: readonly string[]): Options | undefined;
/** Options. */
export interface Options {
    /** The **size**. */
    size?: number;
    undocumented: string;
    /** Internal. */
    hidden: string;
}
export declare class Thing extends Error {
    /** Internal. Use {@link make}. */
    constructor(options: Options);
    static [Symbol.hasInstance](value: unknown): boolean;
    /** Its code. */
    get code(): string;
}
export declare const examples: {
    readonly one: {
        /** The first. */
        readonly first: string;
    };
};
interface Documented {
    /** One of them. */
    readonly first: string;
}
type Mapped = { readonly [Name in keyof Documented]: () => Documented[Name] };
export interface Machine extends Mapped {
    /** Stops it. */
    stop(): void;
}
export type { Shared } from "@some/types";
export type Either<T> = T extends string ? (options: Options) => Options | undefined : () => undefined;
export type Any = readonly string[] | ((options: Options) => Options | undefined) | undefined;
`;
const helper = "/** Helps. */\nexport declare const helper: (name: string) => void;\n";

let folder: string;
let entries: EntryPoint[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-query-declarations-"));
  await mkdir(join(folder, "dist"));
  await mkdir(join(folder, "src"));
  const repository = { directory: "packages/some" };
  const exports = {
    ".": { types: "./dist/index.d.ts" },
    "./more": { types: "./dist/helper.d.ts" },
    "./package.json": "./package.json",
  };
  const files = {
    "package.json": JSON.stringify({ name: "@some/package", exports, repository }),
    "src/index.ts": main,
    "src/helper.ts": helper,
  };
  const declarations = { "dist/index.d.ts": main, "dist/helper.d.ts": `${helper}export { make } from "./index.ts";\n` };
  const types = join(folder, "node_modules/@some/types");
  for (const name of ["src", "dist"]) await mkdir(join(types, name), { recursive: true });
  const typesJson = {
    name: "@some/types",
    exports: { ".": { types: "./dist/index.d.ts" } },
    repository: { directory: "packages/types" },
  };
  await writeFile(join(types, "package.json"), JSON.stringify(typesJson));
  const shared = "/** Shared. */\nexport interface Shared {\n    one: string;\n}\n";
  await writeFile(join(types, "src/index.ts"), `/**\n * The types.\n *\n * @module\n */\n${shared}`);
  await writeFile(join(types, "dist/index.d.ts"), shared);
  for (const [name, text] of Object.entries({ ...files, ...declarations })) await writeFile(join(folder, name), text);
  entries = readEntryPoints(pathToFileURL(join(folder, "package.json")));
});
afterAll(() => rm(folder, { recursive: true }));

describe("readEntryPoints", () => {
  test("reads the entry points of package.json; an export belongs to the first that has it", () => {
    expect(entries.map(({ specifier, source, repeated }) => ({ specifier, source, repeated }))).toEqual([
      { specifier: "@some/package", source: "packages/some/src/index.ts", repeated: [] },
      { specifier: "@some/types", source: "packages/types/src/index.ts", repeated: [] },
      { specifier: "@some/package/more", source: "packages/some/src/helper.ts", repeated: ["helper", "make"] },
    ]);
    expect(entries[0]?.exports.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual([
      "class Thing",
      "constant examples",
      "constant helper",
      "function make",
      "type Any",
      "type Either",
      "type Machine",
      "type Options",
    ]);
    expect(exportPaths(entries)).toMatchObject({ make: "client/api/#make", helper: "client/api/#helper" });
  });

  test("keeps the exports of another package of the repository apart", () => {
    expect(entries[1]).toMatchObject({ exportedBy: "@some/package", about: "The types." });
    expect(entries[1]?.exports.map(({ name }) => name)).toEqual(["Shared"]);
    expect(exportPaths(entries)).toMatchObject({ Shared: "client/api/types/#shared" });
  });

  test("reads comments and examples, in which an @ is code", () => {
    expect(entries[0]).toMatchObject({ about: "Does things.", examples: ['```ts\nimport { it } from "@some/package";\n```'] });
    const made = entries[0]?.exports.find(({ name }) => name === "make");
    expect(made?.examples).toEqual(["```ts\n// of\n@decorated\nmake();\n```"]);
  });

  test("writes declarations without comments and internal members, in short lines", () => {
    const declaration = (name: string): string | undefined =>
      entries[0]?.exports.find((each) => each.name === name)?.declaration;
    expect(declaration("make")).toBe(
      "function make(\n  first: string,\n  options?: Options,\n  another?: readonly string[],\n): Options | undefined;",
    );
    expect(declaration("Thing")).toBe("class Thing extends Error {\n  get code(): string;\n}");
    expect(declaration("Either")).toBe(
      "type Either<T> = T extends string\n  ? (options: Options) => Options | undefined\n  : () => undefined;",
    );
    expect(declaration("Any")).toBe(
      "type Any =\n  | readonly string[]\n  | ((options: Options) => Options | undefined)\n  | undefined;",
    );
  });

  test("reads the documented members, and their members", () => {
    const members = Object.fromEntries(entries[0]?.exports.map((each) => [each.name, each.members]) ?? []);
    expect(members).toMatchObject({
      Machine: [
        { name: "first", about: "One of them." },
        { name: "stop", about: "Stops it." },
      ],
      Options: [{ name: "size", about: "The **size**." }],
      Thing: [{ name: "code", about: "Its code." }],
      examples: [{ name: "one.first", about: "The first." }],
    });
  });
});

describe("apiMarkdown", () => {
  test("links the names of exports", () => {
    const text = entries[0] && apiMarkdown(entries[0], new Set(["Options", "make"]));
    expect(text).toContain("### make\n\nMakes one; see [`Options`](client:Options) and `Unknown`.\n");
    expect(text).toContain("See also [`Options`](client:Options).");
    expect(entries[2] && apiMarkdown(entries[2], new Set(["make"]))).toContain(
      "It also exports `helper`, [`make`](client:make).",
    );
  });
});
