/** Copies of the programs in `examples/`, and a mock for them. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Mock, startMock } from "@chain-query/mock";
import { build } from "esbuild";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, vi } from "vitest";
import { type Programs, writePrograms } from "./programs.ts";

const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));
const recipes = readFileSync(new URL("../guides/recipes.md", import.meta.url), "utf8");
export const address = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
export const mistyped = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-AjlftqX";

/** The output that the guide shows after the code of an example. */
export function shownOutput(path: string): string {
  const [, shown] = recipes.split(`<!-- example: ${path} -->\n\n\`\`\`text\n`);
  if (shown === undefined) throw new Error(`recipes.md shows no output of ${path}`);
  return shown.slice(0, shown.indexOf("```"));
}

interface UsedExamples {
  mock: Mock;
  programs: Programs;
  /** The path of a copied file. */
  at: (path: string) => string;
}

/** Copies the examples and starts a mock before the tests of a file. */
export function useExamples(): UsedExamples {
  const used = { at: (path: string) => join(used.programs.folder, path) } as UsedExamples;
  beforeAll(async () => {
    used.mock = await startMock();
    const paths = readdirSync(examples, { recursive: true, encoding: "utf8" });
    const files = paths.filter((path) => !path.includes("node_modules") && statSync(join(examples, path)).isFile());
    used.programs = writePrograms(Object.fromEntries(files.map((path) => [path, readFileSync(join(examples, path), "utf8")])));
  });
  afterAll(async () => {
    await used.mock?.close();
    used.programs?.dispose();
  });
  return used;
}

/** Bundles an example and returns the path of the bundle, in the example's folder. */
export async function bundle({ at }: UsedExamples, path: string, platform: "node" | "browser"): Promise<string> {
  const outfile = at(`${path}.mjs`);
  const define = { "process.env.NODE_ENV": '"production"' };
  const external = platform === "node" ? ["react", "react-dom"] : [];
  await build({ entryPoints: [at(path)], bundle: true, format: "esm", platform, outfile, define, external, jsx: "automatic" });
  return outfile;
}

/** Renders the component of the Next.js page with React. Next.js itself is not installed. */
export async function renderedNextPage(used: UsedExamples, url: string, of: string): Promise<string> {
  vi.stubEnv("CHAIN_QUERY_URL", url);
  const { default: Page } = await import(pathToFileURL(await bundle(used, "nextjs-page/app/[address]/page.tsx", "node")).href);
  vi.unstubAllEnvs();
  return renderToStaticMarkup(await Page({ params: Promise.resolve({ address: of }) }));
}

export const environmentOf = (mock: Mock, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  CHAIN_QUERY_URL: mock.url,
  ...more,
});
