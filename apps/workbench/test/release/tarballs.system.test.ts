import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { create } from "tar";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import workbench from "../../package.json" with { type: "json" };
import { root } from "../../src/command.ts";
import { removeLeftovers } from "../../src/release/leftovers.ts";
import { publicPackages } from "../../src/release/packages.ts";
import { pack, type Tarball } from "../../src/release/packing.ts";
import { faultsOf } from "../../src/release/tarball.ts";

const packages = publicPackages(root);
let folder: string;
let tarballs: Tarball[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "chain-query-tarballs-"));
  removeLeftovers(packages);
  tarballs = await pack(packages, join(folder, "first"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the public packages", () => {
  test("are built before they are looked at here", () => {
    expect(Object.keys(workbench.devDependencies)).toEqual(expect.arrayContaining(packages.map(({ name }) => name)));
  });

  test.for(packages.map(({ name }) => name))("%s ships what it may and all that it promises", async (name) => {
    const tarball = tarballs.find((each) => each.name === name);
    expect(await faultsOf(tarball ?? { name, path: "" })).toEqual([]);
  });

  test("come after those that they depend on", () => {
    const names = packages.map(({ name }) => name);
    for (const { name, manifest } of packages) {
      const ours = Object.keys(manifest.dependencies ?? {}).filter((dependency) => names.includes(dependency));
      for (const dependency of ours) expect(names.indexOf(dependency)).toBeLessThan(names.indexOf(name));
    }
    expect(names).toContain("@chain-query/client");
  });

  test("are the same to the byte in two packs, whenever their files were written", async () => {
    // As a fresh clone would have it: every file is of another time.
    for (const { folder: home } of packages) utimesSync(join(home, "README.md"), new Date(), new Date());
    const again = await pack(packages, join(folder, "second"));
    expect(again.map(({ integrity }) => integrity)).toEqual(tarballs.map(({ integrity }) => integrity));
    for (const [index, { path }] of again.entries()) {
      expect(readFileSync(path).equals(readFileSync(tarballs[index]?.path ?? ""))).toBe(true);
    }
  });
});

describe("removeLeftovers", () => {
  test("takes away what was compiled from a source that is gone, and nothing else", () => {
    const home = join(folder, "leftovers");
    for (const [file, text] of Object.entries(sound)) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), text);
    }
    writeFileSync(join(home, "dist/gone.js"), "");
    writeFileSync(join(home, "dist/gone.js.map"), JSON.stringify({ sources: ["../src/gone.ts"] }));
    removeLeftovers([{ name: "sound", version: "1.0.0", folder: home, manifest }]);
    const left = globSync("dist/**/*.{js,ts,map}", { cwd: home });
    expect(left.sort()).toEqual(
      Object.keys(sound)
        .filter((file) => file.startsWith("dist/"))
        .sort(),
    );
  });
});

const manifest = {
  name: "sound",
  version: "1.0.0",
  description: "A package of a test",
  keywords: ["test"],
  homepage: "https://example.org",
  bugs: "https://example.org/issues",
  repository: "https://example.org/sound.git",
  license: "MIT",
  engines: { node: ">=20" },
  dependencies: { other: "^1.0.0" },
  exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" }, "./data/*": "./dist/data/*.js" },
  bin: { sound: "./bin/sound.js" },
};
const sound = {
  "package.json": JSON.stringify(manifest),
  "README.md": "# Sound\n",
  LICENSE: "MIT\n",
  "bin/sound.js": "#!/usr/bin/env node\n",
  "dist/index.js": "export {};\n",
  "dist/index.js.map": JSON.stringify({ sources: ["../src/index.ts"] }),
  "dist/index.d.ts": "export {};\n",
  "dist/data/one.js": "export {};\n",
  "src/index.ts": "export {};\n",
};

/** A tarball of files, and links, that no package manager had a look at. */
async function tarballOf(files: Readonly<Record<string, string | undefined>>, links: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(folder, "made-"));
  for (const [file, text] of Object.entries(files)) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(home, "package", file)), { recursive: true });
    writeFileSync(join(home, "package", file), text);
  }
  for (const [link, target] of Object.entries(links)) symlinkSync(target, join(home, "package", link));
  const path = join(home, "made.tgz");
  await create(
    { file: path, cwd: home, gzip: true, filter: (each) => !each.endsWith(".tgz") },
    [...Object.keys({ ...files, ...links }).filter((file) => file in links || files[file] !== undefined)].map(
      (file) => `package/${file}`,
    ),
  );
  return { name: "sound", path };
}

const changed = (change: Record<string, unknown>) => ({ "package.json": JSON.stringify({ ...manifest, ...change }) });
const npmToken = `npm_${"x".repeat(36)}`;

describe("faultsOf", () => {
  test("finds none in a sound tarball", async () => {
    expect(await faultsOf(await tarballOf(sound))).toEqual([]);
  });

  test.for([
    ["a file that is not on the list", { ".env": "A=1\n" }, ".env is not on the list of what sound ships"],
    ["a settings file", { "dist/tsconfig.json": "{}" }, "dist/tsconfig.json is not on the list of what sound ships"],
    ["a test", { "dist/index.test.js": "" }, "dist/index.test.js is a test"],
    ["a folder of tests", { "src/test/index.ts": "" }, "src/test/index.ts is a test"],
    ["no licence", { LICENSE: undefined }, "LICENSE is missing"],
    ["no README", { "README.md": undefined }, "README.md is missing"],
    ["a token", { "dist/index.js": `"${npmToken}"` }, "dist/index.js holds a token of npm"],
    ["a password", { "README.md": "//example.org/:_authToken=abc\n" }, "README.md holds a password of a registry"],
    ["a key", { "src/index.ts": "-----BEGIN PRIVATE KEY-----\n" }, "src/index.ts holds a private key"],
    ["a path of somebody's home", { "dist/index.js": "/home/ann/work\n" }, "dist/index.js holds an absolute path, /home/ann/"],
    ["a file URL", { "dist/index.js": "file:///etc\n" }, "dist/index.js holds an absolute path, file:///"],
    ["a path of this workspace", { "dist/index.js": `"${root}"` }, `dist/index.js holds an absolute path, ${root}`],
    [
      "a map that leads out of it",
      { "dist/index.js.map": '{"sources":["../../other/index.ts"]}' },
      "dist/index.js.map leads to ../../other/index.ts, which is not in it",
    ],
    ["no repository", changed({ repository: undefined }), "package.json has no repository"],
    [
      "a dependency of the workspace",
      changed({ dependencies: { other: "workspace:*" } }),
      "package.json asks for other at workspace:*, which no registry has",
    ],
    [
      "an entry point that is not there",
      changed({ exports: { ".": "./dist/index.js", "./lost": "./dist/lost.js" } }),
      "exports leads to ./dist/lost.js, which is not in it",
    ],
    [
      "a pattern that nothing fits",
      changed({ exports: { "./*": "./dist/lost/*.js" } }),
      "exports leads to ./dist/lost/*.js, which is not in it",
    ],
    [
      "a command that is not there",
      changed({ bin: { sound: "./bin/lost.js" } }),
      "the command sound leads to ./bin/lost.js, which is not in it",
    ],
    [
      "a command that no shell can run",
      { "bin/sound.js": "export {};\n" },
      "./bin/sound.js does not begin with #!/usr/bin/env node",
    ],
  ] as const)("finds %s", async ([, change, expected]) => {
    expect(await faultsOf(await tarballOf({ ...sound, ...change }))).toContain(`sound: ${expected}`);
  });

  test("finds a link", async () => {
    const faults = await faultsOf(await tarballOf(sound, { "dist/link.js": "/etc/hostname" }));
    expect(faults).toContain("sound: package/dist/link.js is a SymbolicLink or lies outside package/");
  });
});
