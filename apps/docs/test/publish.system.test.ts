/** A publication keeps all earlier versions. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentVersion } from "../src/kept-versions.ts";
import { serveDocs } from "../src/serve.ts";

const run = promisify(execFile);
const command = fileURLToPath(new URL("../src/publish.ts", import.meta.url));
const publish = (...flags: string[]): Promise<{ code?: number; stdout: string; stderr: string }> =>
  run(process.execPath, [command, ...flags]).catch((failed) => failed);

let home: string;
let current: string;
/** A published site that has 1.9.0. */
let earlier: Awaited<ReturnType<typeof serveDocs>>;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "chain-query-publish-"));
  current = await currentVersion();
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
  await earlier.close();
  await rm(home, { recursive: true });
});

describe("publish", () => {
  test("keeps earlier versions beside the latest", async () => {
    const out = join(home, "second");
    const { stderr } = await publish("--out", out, "--site-url", earlier.url, "--released", `1.9.0,${current}`);
    expect(stderr).toBe("");
    const text = (path: string): Promise<string> => readFile(join(out, path), "utf8");

    expect(await text("index.html")).toContain(`<link rel="canonical" href="${earlier.url}/" />`);
    expect(await text("v/1.9.0/guides/index.html")).toBe("<p>old guides</p>");
    expect(await text(`v/${current}/guides/testing/index.html`)).toContain('content="noindex"');
    expect(await text("versions/index.html")).toMatch(/href="\.\.\/v\/1\.9\.0\/"/);
    expect(JSON.parse(await text("v/versions.json"))).toEqual(["1.9.0", current]);

    const third = await serveDocs({ root: out });
    try {
      const again = join(home, "third");
      const moved = ["--site-url", "https://docs.example.org", "--earlier", third.url];
      expect((await publish("--out", again, ...moved)).stderr).toBe("");
      const files = async (folder: string): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();
      expect(await files(again)).toEqual(await files(out));
      expect(await readFile(join(again, "v/1.9.0/index.html"), "utf8")).toBe("<p>old</p>");
    } finally {
      await third.close();
    }
  });

  test("starts with the current version if the site has none", async () => {
    const empty = join(home, "empty");
    await mkdir(empty);
    await writeFile(join(empty, "index.html"), "");
    const none = await serveDocs({ root: empty });
    try {
      const out = join(home, "first");
      expect((await publish("--out", out, "--site-url", none.url)).stderr).toBe("");
      expect((await readdir(join(out, "v"))).sort()).toEqual([current, `${current}.tar.gz`, "versions.json"]);
    } finally {
      await none.close();
    }
  });

  test("publishes nothing if the site is down, because its versions would be lost", async () => {
    const down = createServer((_, response) => response.writeHead(503).end("later"));
    await new Promise<void>((resolve) => down.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(down.address() as AddressInfo).port}/`;
    try {
      expect(await publish("--out", join(home, "none"), "--site-url", url)).toMatchObject({
        code: 2,
        stderr: `publish: ${url}v/versions.json: expected a list of versions, got status 503\n`,
      });
    } finally {
      down.close();
      down.closeAllConnections();
    }
    expect(await publish("--out", join(home, "none"), "--site-url", url)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^publish: \S+v\/versions\.json: no answer \(.*ECONNREFUSED.*\)\n$/),
    });
    expect(await readdir(home)).not.toContain("none");
  });

  test("refuses to drop a released version", async () => {
    expect(await publish("--out", join(home, "none"), "--site-url", earlier.url, "--released", "1.8.0,1.9.0")).toMatchObject({
      code: 2,
      stderr: `publish: ${earlier.url}/ does not have the released 1.8.0; see Publishing in README.md\n`,
    });
  });

  test("requires a folder", async () => {
    expect(await publish()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^publish: .*--out.*\n$/),
    });
    expect((await publish("--help")).stdout).toContain("--released <versions>");
  });
});
