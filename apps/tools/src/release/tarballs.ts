/** Checks packed packages before they are published: publint, Are the Types Wrong, and the list of allowed files. */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { list } from "tar";
import { root } from "../workspace/packages.ts";

/** Files that any package may ship. */
const everywhere = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/[\w./-]+\.(c?js|d\.c?ts)(\.map)?$/,
  /^src\/[\w./-]+\.ts$/,
  /^bin\/[\w-]+\.js$/,
];

/** Files that one package ships in addition. */
const additional: Readonly<Record<string, readonly RegExp[]>> = {
  "@chain-query/openapi": [
    /^DECISIONS\.md$/,
    /^dist\/(openapi\.json|openapi\.yaml|examples\.json)$/,
    /^workflows\/[\w-]+\.arazzo\.yaml$/,
  ],
  // It contains Prism.
  "@chain-query/mock": [/^dist\/bundled(\.json|-licenses\.txt)$/],
  // It serves the docs and the status page.
  "@chain-query/server": [
    /^dist\/docs\/[\w./-]+\.(html|md|txt|xml|json|yaml|css|js|svg|png)$/,
    /^assets\/[\w./-]+\.(html|css|js|svg)$/,
    /^deploy\/(Containerfile|(compose|prometheus-rules)\.yaml|grafana-dashboard\.json|haproxy\.cfg|[\w-]+@?\.service|README\.md)$/,
    /^deploy\/kubernetes\/(indexer|server)\.yaml$/,
  ],
  // The statements that make the tables.
  "@chain-query/postgres-store": [/^migrations\/[\w.-]+\.sql$/],
};

const required = ["package.json", "README.md", "LICENSE"];
const test = /(^|\/)(test|tests|bench|fixtures)\/|\.(test|test-d|spec|bench)\./;

/** One line for each file that a package must not ship, and for each that it must but does not. */
export function fileFaults(name: string, files: readonly string[]): string[] {
  const allowed = [...everywhere, ...(additional[name] ?? [])];
  return [
    ...required.filter((file) => !files.includes(file)).map((file) => `${name}: ${file} is missing`),
    ...files.flatMap((file) => {
      if (test.test(file)) return [`${name}: ${file} is a test`];
      if (allowed.some((pattern) => pattern.test(file))) return [];
      return [`${name}: ${file} is not on the list in apps/tools/src/release/tarballs.ts`];
    }),
  ];
}

/** Contents that no file may have: tokens of npm, GitHub and AWS, private keys, and paths of the machine that packed it. */
const secrets: Readonly<Record<string, RegExp>> = {
  "an npm token": /\bnpm_[A-Za-z0-9]{36}\b|_authToken=[\w-]{8}/,
  "a GitHub token": /\b(gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40})/,
  "an AWS key": /\bAKIA[0-9A-Z]{16}\b/,
  "a private key": /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
};

/** One line for each token and each absolute path of this workspace in the text of a packed file. */
export function contentFaults(name: string, file: string, text: string): string[] {
  const found = Object.entries(secrets).flatMap(([what, pattern]) => (pattern.test(text) ? [what] : []));
  if ([root.replace(/[/\\]$/, ""), homedir()].some((path) => path.length > 5 && text.includes(path)))
    found.push("an absolute path");
  return found.map((what) => `${name}: ${file} contains ${what}`);
}

/** One line for each fault of a tarball; an empty list if it may be published. */
export async function tarballFaults(name: string, path: string): Promise<string[]> {
  const bytes = await readFile(path);
  const files = await filesOf(path);
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
  return [
    ...fileFaults(
      name,
      files.map(({ file }) => file),
    ),
    ...files.flatMap(({ file, text }) => contentFaults(name, file, text)),
    ...messages.map((message) => `${name}: publint: ${formatMessage(message, pkg, { color: false })}`),
    ...(await typeFaults(name, new Uint8Array(bytes), pkg?.["exports"])),
  ];
}

async function filesOf(path: string): Promise<{ readonly file: string; readonly text: string }[]> {
  const files: { file: string; text: string }[] = [];
  await list({
    file: path,
    onReadEntry: (entry) => {
      const chunks: Buffer[] = [];
      entry.on("data", (chunk) => chunks.push(chunk));
      entry.on("end", () =>
        files.push({ file: entry.path.replace(/^package\//, ""), text: Buffer.concat(chunks).toString("latin1") }),
      );
    },
  });
  return files;
}

/** The entry points that are not modules, such as `./DECISIONS.md`: attw cannot resolve them. */
function otherFiles(exports: unknown): string[] {
  if (typeof exports !== "object" || exports === null) return [];
  return Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === "string" && !/\.(js|json)$/.test(target) ? [entry] : [],
  );
}

/**
 * Runs attw. Of a package of ES modules alone, CommonJS is not checked; one with modules for `require()` has to resolve everywhere,
 * also without `exports`, by which old resolvers do not find JSON files.
 */
async function typeFaults(name: string, bytes: Uint8Array, exports: unknown): Promise<string[]> {
  // Imported here, because it loads a compiler, which few runs of `pnpm release` need.
  const { checkPackage, createPackageFromTarballData } = await import("@arethetypeswrong/core");
  const { problemKindInfo } = await import("@arethetypeswrong/core/problems");
  const result = await checkPackage(createPackageFromTarballData(bytes), { excludeEntrypoints: otherFiles(exports) });
  if (!result.types) return [`${name}: attw: it has no types`];
  const isDual = JSON.stringify(exports ?? {}).includes('"require":');
  return result.problems.flatMap((problem) => {
    const [entry, kind] = [
      "entrypoint" in problem && problem.entrypoint,
      "resolutionKind" in problem && problem.resolutionKind,
    ];
    if (!isDual && (kind === "node10" || kind === "node16-cjs")) return [];
    if (kind === "node10" && `${entry}`.endsWith(".json")) return [];
    return [`${name}: attw: ${problemKindInfo[problem.kind].title}${entry ? ` of ${entry} (${kind})` : ""}`];
  });
}
