/** Builds with other options, with mistakes in the sources, and a publication, which keeps all earlier versions. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentVersion, publish } from "../src/publication.ts";
import { serveDocs } from "../src/serve.ts";
import { defaultOptions } from "../src/site/options.ts";
import { buildSite, readSources, type SiteSources } from "../src/site.ts";
import { readSite } from "./built-site.ts";

const run = promisify(execFile);
const command = (name: "build" | "publish", ...flags: string[]): Promise<{ code?: number; stdout: string; stderr: string }> =>
  run(process.execPath, [fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url)), ...flags]).catch((failed) => failed);

let home: string;
let current: string;
let sources: SiteSources;
/** A published site that has 1.9.0. */
let earlier: Awaited<ReturnType<typeof serveDocs>>;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "chain-query-publish-"));
  current = await currentVersion();
  sources = await readSources();
  const root = join(home, "earlier");
  await mkdir(join(root, "v", "1.9.0", "guides"), { recursive: true });
  await writeFile(join(root, "index.html"), "<p>earlier</p>");
  await writeFile(join(root, "v", "1.9.0", "index.html"), "<p>old</p>");
  await writeFile(join(root, "v", "1.9.0", "guides", "index.html"), "<p>old guides</p>");
  await run("tar", ["-czf", join(root, "v", "1.9.0.tar.gz"), "-C", join(root, "v", "1.9.0"), "."]);
  await writeFile(join(root, "v", "versions.json"), JSON.stringify(["1.9.0", current]));
  earlier = await serveDocs({ root });
});
afterAll(async () => {
  await earlier?.close();
  await rm(home, { recursive: true });
});

describe("build", () => {
  /** Adds lines to a copy of a guide and builds. Returns the messages and the number of lines before. */
  async function says(...mistakes: string[]): Promise<{ messages: string[]; length: number }> {
    const copy = await mkdtemp(join(home, "guides-"));
    await cp(fileURLToPath(defaultOptions.guides), copy, { recursive: true });
    const guide = join(copy, "testing.md");
    const text = await readFile(guide, "utf8");
    await writeFile(guide, `${text}${mistakes.map((mistake) => `\n${mistake}\n`).join("")}`);
    const out = join(copy, "out");
    const failure = await buildSite(pathToFileURL(`${out}/`), { guides: pathToFileURL(`${copy}/`) }).then(
      () => new Error("the build succeeded"),
      (error: Error) => error,
    );
    await expect(stat(out)).rejects.toThrow("ENOENT");
    return { messages: failure.message.split("\n"), length: text.split("\n").length - 1 };
  }

  test("refuses unknown names, before it writes anything, with a line for each", async () => {
    const { messages, length } = await says(
      "[a](operation:findBlock)",
      "Some words and\n[a](decision:D-99)",
      "[a](nowhere.md)",
      "[a](ftp://a.test)",
      "![a](drawings/none.svg)",
    );
    expect(messages).toEqual([
      expect.stringMatching(
        `^guides/testing.md:${length + 2}: the contract has no operation findBlock; it has getAddressInformation, `,
      ),
      expect.stringMatching(`^guides/testing.md:${length + 5}: there is no decision D-99; they go from D-01 to D-`),
      expect.stringMatching(
        `^guides/testing.md:${length + 7}: nowhere.md is not a guide; expected one of account-history.md, `,
      ),
      expect.stringMatching(`^guides/testing.md:${length + 9}: ftp://a.test is not a guide`),
      expect.stringMatching(`^guides/testing.md:${length + 11}: drawings/none.svg: ENOENT`),
    ]);
    expect((await says("<!-- contract: Nothing -->")).messages).toEqual([
      "guides/testing.md: the contract's description has no section Nothing",
    ]);
  });

  test("refuses broken links", async () => {
    const { messages, length } = await says("[a](keys-and-limits.md#nowhere) [b](#neither)", "[c](site:openapi.xml)");
    expect(messages).toEqual([
      `guides/testing.md:${length + 2}: the link to keys-and-limits.md#nowhere is broken: the page guides/keys-and-limits/ has no place #nowhere`,
      `guides/testing.md:${length + 2}: the link to #neither is broken: the page guides/testing/ has no place #neither`,
      `guides/testing.md:${length + 4}: the link to site:openapi.xml is broken: there is no page or file openapi.xml`,
    ]);
  });
});

describe("publish", () => {
  /** Publishes in this process. Returns the folder. */
  async function published(folder: string, siteUrl: string, from = siteUrl, released: string[] = []): Promise<string> {
    const out = join(home, folder);
    await publish(out, { siteUrl: `${siteUrl}/`, earlier: `${from}/`, released }, sources);
    return out;
  }

  test("keeps earlier versions beside the latest, and the latest as an archive", async () => {
    const out = await published("second", "https://docs.example.org", earlier.url, ["1.9.0", current]);
    const latest = await readSite(out);
    expect(await latest.text("v/1.9.0/guides/index.html")).toBe("<p>old guides</p>");
    expect(await latest.text("versions/index.html")).toMatch(/href="\.\.\/v\/1\.9\.0\/"/);
    expect(JSON.parse(await latest.text("v/versions.json"))).toEqual(["1.9.0", current]);

    // The latest pages contain the address of the site, and no other one.
    expect(await latest.text("guides/testing/index.html")).toContain(
      '<link rel="canonical" href="https://docs.example.org/guides/testing/" />',
    );
    expect(await latest.text("404.html")).toContain('<base href="/" />');
    const documents = latest.documents.filter((path) => !path.startsWith("v/"));
    const whole = await Promise.all(documents.map(latest.text));
    expect(whole.length).toBeGreaterThan(30);
    // Texts of the client name the address that it has built in.
    expect(whole.join("")).not.toMatch(/(href|src|content)="[^"]*github\.io/);

    // The archive points readers and search engines to the latest pages.
    const archive = await readSite(join(out, "v", current));
    expect(archive.documents.sort()).toEqual(documents.sort());
    for (const path of archive.documents.filter((document) => document !== "404.html")) {
      const html = await archive.text(path);
      const address = `https://docs.example.org/${path.replace(/index\.html$/, "")}`;
      expect(html, path).toContain('<meta name="robots" content="noindex" />');
      expect(html, path).toContain(`<link rel="canonical" href="${address}" />`);
      expect(html, path).toContain(
        `<p class="old">These are the pages of version ${current}. <a class="to-latest" href="${address}">`,
      );
    }
    expect(archive.files).not.toContain("sitemap.xml");
    expect(archive.files).not.toContain("robots.txt");

    await using third = await serveDocs({ root: out });
    const again = await readSite(await published("third", third.url));
    expect(again.files.sort()).toEqual(latest.files.sort());
    expect(await again.text("v/1.9.0/index.html")).toBe("<p>old</p>");
  });

  test("starts with the current version if the site has none", async () => {
    const empty = join(home, "empty");
    await mkdir(empty);
    await writeFile(join(empty, "index.html"), "");
    await using none = await serveDocs({ root: empty });
    const out = await published("first", none.url);
    expect((await readdir(join(out, "v"))).sort()).toEqual([current, `${current}.tar.gz`, "versions.json"]);
  });

  test("publishes nothing if the site is down, because its versions would be lost", async () => {
    const down = createServer((_, response) => response.writeHead(503).end("later"));
    await new Promise<void>((resolve) => down.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(down.address() as AddressInfo).port}`;
    try {
      expect(await command("publish", "--out", join(home, "none"), "--site-url", url)).toMatchObject({
        code: 2,
        stderr: `publish: ${url}/v/versions.json: expected a list of versions, got status 503\n`,
      });
    } finally {
      down.close();
      down.closeAllConnections();
    }
    await expect(published("none", url)).rejects.toThrow(/v\/versions\.json: no response \(.*ECONNREFUSED.*\)$/);
    expect(await readdir(home)).not.toContain("none");
  });

  test("refuses to drop a released version", async () => {
    await expect(published("none", earlier.url, earlier.url, ["1.8.0", "1.9.0"])).rejects.toThrow(
      `${earlier.url}/ does not have the released 1.8.0; see Publishing in README.md`,
    );
    expect(await readdir(home)).not.toContain("none");
  });
});

describe("commands", () => {
  test.for([
    ["build", ["--site-url", "nowhere"], /^build: --site-url: expected an http or https address .*, got "nowhere"\n$/],
    ["build", ["--nonsense"], /^build: .*--nonsense.*\n$/],
    ["publish", [], /^publish: .*--out.*\n$/],
  ] as const)("%s refuses wrong flags with one line and exit code 2", async ([name, flags, said]) => {
    expect(await command(name, ...flags)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(said) });
  });

  test("build lists its flags in the help", async () => {
    const { stdout } = await command("build", "--help");
    for (const flag of ["--out", "--site-url", "--archive"]) expect(stdout).toContain(flag);
  });
});
