/** What may be in a tarball that is published, and what must not. */
import { homedir } from "node:os";
import { posix } from "node:path";
import { list } from "tar";
import { root } from "../command.ts";
import type { Manifest } from "./packages.ts";

/** Files of every package. */
const everywhere = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/[\w./-]+\.(js|d\.ts|js\.map|d\.ts\.map)$/,
  /^src\/[\w./-]+\.ts$/,
  /^bin\/[\w-]+\.js$/,
];

/** What one package has besides. */
const besides: Readonly<Record<string, readonly RegExp[]>> = {
  "@chain-query/openapi": [
    /^DECISIONS\.md$/,
    /^dist\/(openapi\.json|openapi\.yaml|examples\.json)$/,
    /^workflows\/[\w-]+\.arazzo\.yaml$/,
  ],
  // It serves the docs and the status page.
  "@chain-query/server": [
    /^dist\/docs\/[\w./-]+\.(html|md|txt|xml|json|yaml|css|js|svg|png)$/,
    /^assets\/[\w./-]+\.(html|css|js|svg)$/,
    /^deploy\/(Containerfile|[\w-]+\.service|README\.md)$/,
  ],
};

const required = ["package.json", "README.md", "LICENSE"];
const test = /(^|\/)(test|tests|bench|fixtures)\/|\.(test|test-d|spec|bench)\./;

const secrets: Readonly<Record<string, RegExp>> = {
  "a token of npm": /\bnpm_[A-Za-z0-9]{36}\b/,
  "a token of GitHub": /\b(gh[opusr]_[A-Za-z0-9]{36}|github_pat_\w{22,})\b/,
  "a password of a registry": /_(authToken|password)\s*=\s*\S/,
  "a private key": /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  "a key of a cloud": /\bAKIA[0-9A-Z]{16}\b/,
};

const absolutePath = /(?<![\w.~-])\/(home|Users|root)\/[\w.-]+\/|\bfile:\/\/\/|\b[A-Z]:\\\\?Users\\/;

/** What is wrong with a tarball, one line for each fault; none where it may be published. */
export async function faultsOf({ name, path }: { name: string; path: string }): Promise<string[]> {
  const { files, faults } = await filesOf(path);
  const manifest: Manifest & Record<string, unknown> = JSON.parse(files.get("package.json") ?? "{}");
  const allowed = [...everywhere, ...(besides[name] ?? [])];
  faults.push(...required.filter((file) => !files.has(file)).map((file) => `${file} is missing`));
  for (const [file, text] of files) {
    if (test.test(file)) faults.push(`${file} is a test`);
    else if (!allowed.some((pattern) => pattern.test(file))) faults.push(`${file} is not on the list of what ${name} ships`);
    const found = Object.entries(secrets).filter(([, pattern]) => pattern.test(text));
    faults.push(...found.map(([what]) => `${file} holds ${what}`));
    const absolute =
      absolutePath.exec(text)?.[0] ?? [root, homedir()].find((folder) => folder.length > 1 && text.includes(folder));
    if (absolute !== undefined) faults.push(`${file} holds an absolute path, ${absolute}`);
    if (file.endsWith(".map")) faults.push(...lostSources(file, text, files));
  }
  faults.push(...manifestFaults(manifest), ...lostTargets(manifest, files));
  return faults.map((fault) => `${name}: ${fault}`);
}

async function filesOf(path: string): Promise<{ files: Map<string, string>; faults: string[] }> {
  const files = new Map<string, string>();
  const faults: string[] = [];
  await list({
    file: path,
    onReadEntry(entry) {
      const file = entry.path.replace(/^package\//, "");
      if (entry.type !== "File" || file === entry.path)
        faults.push(`${entry.path} is a ${entry.type} or lies outside package/`);
      const chunks: Buffer[] = [];
      entry.on("data", (chunk: Buffer) => chunks.push(chunk));
      entry.on("end", () => files.set(file, Buffer.concat(chunks).toString("utf8")));
    },
  });
  return { files, faults };
}

/** A map leads a debugger to sources that are in the tarball as well. */
function lostSources(map: string, text: string, files: ReadonlyMap<string, string>): string[] {
  const { sources = [], sourceRoot = "" }: { sources?: string[]; sourceRoot?: string } = JSON.parse(text);
  return sources
    .filter((source) => !files.has(posix.join(posix.dirname(map), sourceRoot, source)))
    .map((source) => `${map} leads to ${source}, which is not in it`);
}

function manifestFaults(manifest: Manifest & Record<string, unknown>): string[] {
  const members = ["description", "license", "repository", "homepage", "bugs", "keywords", "engines"];
  const missing = members.filter((member) => manifest[member] === undefined).map((member) => `package.json has no ${member}`);
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  const local = Object.entries({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    .filter(([, range]) => /^(workspace|catalog|link|file|git|https?):|^[\w-]+\//.test(range))
    .map(([dependency, range]) => `package.json asks for ${dependency} at ${range}, which no registry has`);
  return [...missing, ...local];
}

/** Every target of `exports` and `bin` is in the tarball. */
function lostTargets(manifest: Manifest, files: ReadonlyMap<string, string>): string[] {
  const faults: string[] = [];
  for (const target of leaves(manifest.exports)) {
    const [before = "", after] = target.replace(/^\.\//, "").split("*");
    const found =
      after === undefined
        ? files.has(before)
        : [...files.keys()].some((file) => file.startsWith(before) && file.endsWith(after));
    if (!found) faults.push(`exports leads to ${target}, which is not in it`);
  }
  for (const [command, target] of Object.entries(manifest.bin ?? {})) {
    const text = files.get(target.replace(/^\.\//, ""));
    if (text === undefined) faults.push(`the command ${command} leads to ${target}, which is not in it`);
    else if (!text.startsWith("#!/usr/bin/env node\n")) faults.push(`${target} does not begin with #!/usr/bin/env node`);
  }
  return faults;
}

function leaves(exports: unknown): string[] {
  if (typeof exports === "string") return [exports];
  return typeof exports === "object" && exports !== null ? Object.values(exports).flatMap(leaves) : [];
}
