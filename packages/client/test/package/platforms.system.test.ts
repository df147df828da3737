/** The built entry points hold to the platforms that the README names: syntax, globals and members. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import ts from "typescript-api";
import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

/** The oldest browsers of the README. */
const browsers = ["safari15.4", "chrome93", "firefox92"];

/** What those browsers have, and React Native or its polyfills. Before a name is added, look at the table of the README. */
const allowedGlobals =
  `AbortController Array BigInt Boolean Date Error FormData Function Headers Infinity JSON Map Math Number Object Promise
RangeError Reflect RegExp Request Response Set String Symbol SyntaxError TypeError URL URLSearchParams Uint8Array WeakSet atob
clearTimeout console decodeURIComponent encodeURIComponent globalThis isFinite isNaN performance process setTimeout`.split(
    /\s+/,
  );

/** Members of built-in objects, static ones with the name of their object. Some are only namesakes of ours, such as `bytes`. */
const allowedMembers =
  `Array.from Array.isArray BigInt.asIntN Date.now Date.parse JSON.parse JSON.stringify Math.ceil Math.clz32 Math.imul Math.max Math.min
Math.random Number.MAX_SAFE_INTEGER Number.isFinite Number.isInteger Number.isSafeInteger Number.parseFloat Number.parseInt
Object.assign Object.defineProperties Object.defineProperty Object.entries Object.freeze Object.fromEntries
Object.getOwnPropertyNames Object.getPrototypeOf Object.hasOwn Object.keys Object.prototype Object.values Reflect.get
Reflect.set Response.error String.fromCharCode Symbol.asyncIterator Symbol.for Symbol.hasInstance Symbol.toStringTag abort
aborted add addEventListener append body bytes call cancel catch charCodeAt clone code data delete destination endsWith
entries error every exec fill filter find findIndex flat flatMap forEach get has hash headers href includes indexOf join length map
match message method name ok padEnd padStart pop push reason reduce removeEventListener replace replaceAll search set shift signal
size slice some sort source splice split start startsWith status substring test text then toFixed toLowerCase toString
toUpperCase trim trimEnd type url`.split(/\s+/);

/** More of those that `./verify` needs: the browsers of the README have all of it, and BigInts in a DataView since then. */
const verifying = {
  globals: "ArrayBuffer Blob Buffer DataView Int32Array TextDecoder Uint16Array Uint32Array btoa",
  members: `ArrayBuffer.isView BYTES_PER_ELEMENT BigInt.asUintN Buffer.from Buffer.isBuffer Math.abs Math.cbrt Math.floor Math.sqrt Promise.all
Promise.resolve buffer byteLength byteOffset constructor decode description digest equals getBigInt64 getBigUint64 getInt32 getUint16
finally getReader getUint32 importKey keys now read ref reverse setBigInt64 setBigUint64 setInt32 setUint32 setUint8 subarray subtle verify Promise.race`,
};

const entries = Object.keys(packageJson.exports)
  .filter((entry) => entry !== "./package.json")
  .map((entry) => packageJson.name + entry.slice(1));

/** An entry point with all that it imports, but for the libraries that it is made for. */
async function bundled(entry: string, platform: "node" | "browser", target: string[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "${entry}";`, resolveDir: fileURLToPath(new URL("../../", import.meta.url)) },
    bundle: true,
    format: "esm",
    platform,
    target,
    external: ["msw"],
    logLevel: "silent",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/** Names of all members of built-in objects in this Node.js: those of instances, and static ones with their object. */
function builtInMembers(): Set<string> {
  const names = new Set<string>();
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const value: unknown = Reflect.get(globalThis, name);
    if (typeof value !== "function" && !["JSON", "Math", "Reflect", "Intl"].includes(name)) continue;
    for (const own of Object.getOwnPropertyNames(value)) names.add(`${name}.${own}`);
    const { prototype } = value as { prototype?: object };
    for (const own of prototype === undefined ? [] : Object.getOwnPropertyNames(prototype)) names.add(own);
  }
  return names;
}

/** The globals and the members of built-in objects that a module reads. */
function usedBy(code: string): { globals: string[]; members: string[] } {
  const fileName = "bundle.js";
  const source = ts.createSourceFile(fileName, code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const host = { ...ts.createCompilerHost({}), getSourceFile: (name: string) => (name === fileName ? source : undefined) };
  const checker = ts.createProgram([fileName], { allowJs: true, noLib: true, types: [] }, host).getTypeChecker();
  const isGlobal = (node: ts.Node): node is ts.Identifier =>
    ts.isIdentifier(node) && (checker.getSymbolAtLocation(node)?.declarations ?? []).length === 0;
  const builtIn = builtInMembers();
  const globals = new Set<string>();
  const members = new Set<string>();
  const addMember = (name: string): void => void (builtIn.has(name) && members.add(name));
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const { expression, name } = node;
      addMember(isGlobal(expression) ? `${expression.text}.${name.text}` : name.text);
    } else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      addMember((node.propertyName ?? node.name).getText(source));
    } else if (ts.isIdentifier(node) && !isNameOfMember(node) && isGlobal(node)) globals.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { globals: [...globals].sort(), members: [...members].sort() };
}

function isNameOfMember(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isBindingElement(parent) && parent.propertyName === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    ts.isMethodDeclaration(parent) ||
    ts.isGetAccessor(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isExportSpecifier(parent) ||
    ts.isImportSpecifier(parent)
  );
}

describe.for(entries)("%s", (entry) => {
  test.for(["node", "browser"] as const)(
    "has no syntax, global or member that a platform lacks, built for %s",
    async (platform) => {
      const [code, lowered] = [await bundled(entry, platform, ["esnext"]), await bundled(entry, platform, browsers)];
      expect(code.length).toBeGreaterThan(500);
      // Older targets have no prefix of modules of Node.js.
      expect(lowered).toBe(code.replaceAll('from "node:', 'from "'));
      const { globals, members } = usedBy(code);
      const more = entry.endsWith("/verify") ? verifying : { globals: "", members: "" };
      expect(globals.filter((name) => ![...allowedGlobals, ...more.globals.split(" ")].includes(name))).toEqual([]);
      expect(members.filter((name) => ![...allowedMembers, ...more.members.split(/\s/)].includes(name))).toEqual([]);
    },
  );
});

test("the check sees what a platform lacks", async () => {
  const code =
    "export const f = (signal, { at = [].at }) => [structuredClone(signal.reason), AbortSignal.any([signal]), Object.hasOwn(signal, 'x')];";
  expect(usedBy(code)).toEqual({
    globals: ["AbortSignal", "Object", "structuredClone"],
    members: ["AbortSignal.any", "Object.hasOwn", "at", "reason"],
  });
});
