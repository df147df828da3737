import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { request as send } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedDocs, serveDocs } from "../src/serve.ts";

const hashed = "redoc.0123456789abcdef.js";
let folder: string;
let root: string;
let docs: ServedDocs;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-query-serve-"));
  root = join(folder, "site");
  await mkdir(join(root, "guides"), { recursive: true });
  await mkdir(join(folder, "site-other"));
  const files = {
    "secret.txt": "secret",
    "site-other/secret.txt": "secret",
    "site/index.html": "<p>home</p>",
    "site/guides/index.html": "<p>guides</p>",
    "site/openapi.yaml": "openapi: 3.1.0",
    "site/openapi.json": "{}",
    "site/decisions.md": "# Decisions",
    "site/favicon.svg": "<svg/>",
    [`site/${hashed}`]: "start();".repeat(1000),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  await symlink(join(folder, "secret.txt"), join(root, "link.txt"));
  docs = await serveDocs({ root });
});
afterAll(async () => {
  await docs.close();
  await rm(folder, { recursive: true, force: true });
});

/** Sends a path exactly as it is written; fetch would tidy it first. */
async function rawStatus(path: string): Promise<number> {
  const { port, hostname } = new URL(docs.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
  const answer = await text(socket);
  expect(answer).not.toContain("secret");
  return Number(answer.split(" ")[1]);
}

describe("serveDocs", () => {
  test("listens on loopback, on a free port", () => {
    expect(docs.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
  });

  test.each([
    ["/", "text/html; charset=utf-8"],
    ["/?a=1", "text/html; charset=utf-8"],
    ["/guides/", "text/html; charset=utf-8"],
    [`/${hashed}`, "text/javascript; charset=utf-8"],
    ["/openapi.yaml", "application/yaml"],
    ["/openapi.json", "application/json"],
    ["/decisions.md", "text/markdown; charset=utf-8"],
    ["/favicon.svg", "image/svg+xml"],
  ])("serves %s as %s", async (path, type) => {
    const response = await fetch(docs.url + path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    await response.arrayBuffer();
  });

  test.each([
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/guides/..%2f..%2fsecret.txt",
    "/guides/../../secret.txt",
    "/..%5csecret.txt",
    "/../site-other/secret.txt",
    "//../secret.txt",
    "/link.txt",
    "/index.html%00.txt",
    "/%",
    "/nothing.html",
    "/guides/none/",
    "/index.html/",
  ])("answers 404 to %s", async (path) => {
    expect(await rawStatus(path)).toBe(404);
  });

  test.each([
    ["/guides", "./guides/"],
    ["/guides?a=1", "./guides/?a=1"],
    ["//guides", "./guides/"],
  ])("sends %s on to %s", async (path, location) => {
    const answered = await new Promise<(number | string | undefined)[]>((resolve, reject) => {
      const { hostname, port } = new URL(docs.url);
      send({ hostname, port, path }, ({ statusCode, headers }) => resolve([statusCode, headers.location]))
        .once("error", reject)
        .end();
    });
    expect(answered).toEqual([301, location]);
  });

  test("tells the playground which service to suggest", async () => {
    const suggested = await serveDocs({ root, service: "http://127.0.0.1:4010" });
    const answer = await fetch(`${suggested.url}/playground/service.json`);
    expect([answer.headers.get("content-type"), await answer.json()]).toEqual([
      "application/json",
      { baseUrl: "http://127.0.0.1:4010" },
    ]);
    await suggested.close();
  });

  test("sends the policy that a page holds as a header too, and lets only the site frame it", async () => {
    const policy = "default-src 'none'; script-src 'self'";
    await writeFile(join(root, "held.html"), `<meta http-equiv="content-security-policy" content="${policy}" />`);
    const { headers } = await fetch(`${docs.url}/held.html`, { method: "HEAD" });
    expect(headers.get("content-security-policy")).toBe(`${policy}; frame-ancestors 'self'`);
    expect((await fetch(`${docs.url}/openapi.json`, { method: "HEAD" })).headers.get("content-security-policy")).toBeNull();
  });

  test("answers an address without a page with the site's own page for it", async () => {
    await writeFile(join(root, "404.html"), "<p>lost</p>");
    const response = await fetch(`${docs.url}/nothing/at/all`);
    expect([response.status, await response.text()]).toEqual([404, "<p>lost</p>"]);
    await rm(join(root, "404.html"));
    expect(await (await fetch(`${docs.url}/nothing/at/all`)).text()).toBe("There is no such page.\n");
  });

  test("keeps what carries a hash in its name for ever, and asks again for the rest", async () => {
    const script = await fetch(`${docs.url}/${hashed}`, { method: "HEAD" });
    const page = await fetch(docs.url, { method: "HEAD" });
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(page.headers.get("cache-control")).toBe("no-cache");
  });

  test("answers 304 to whoever has the page already, until it changes", async () => {
    const path = `${docs.url}/openapi.json`;
    const etag = (await fetch(path)).headers.get("etag") ?? "";
    const again = (): Promise<Response> => fetch(path, { headers: { "if-none-match": etag } });
    expect((await again()).status).toBe(304);
    await writeFile(join(root, "openapi.json"), '{"changed":true}');
    expect(await (await again()).json()).toEqual({ changed: true });
  });

  test("compresses for whoever takes it", async () => {
    const answered = await new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
      send(`${docs.url}/${hashed}`, { headers: { "accept-encoding": "gzip" } }, async (response) => {
        const parts: Buffer[] = [];
        for await (const part of response) parts.push(part);
        resolve({ encoding: response.headers["content-encoding"], body: Buffer.concat(parts) });
      })
        .once("error", reject)
        .end();
    });
    expect(answered.encoding).toBe("gzip");
    expect(answered.body.length).toBeLessThan(1000);
    expect(gunzipSync(answered.body).toString()).toBe("start();".repeat(1000));
    const plain = await fetch(`${docs.url}/${hashed}`, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe("start();".repeat(1000));
  });

  test("answers 405 to anything but reading", async () => {
    const response = await fetch(docs.url, { method: "POST", body: "x" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("says how to get a site where none is built", async () => {
    await expect(serveDocs({ root: join(folder, "none") })).rejects.toThrow("build the site first: pnpm build");
  });

  test("rejects where the port is taken", async () => {
    await expect(serveDocs({ root, port: Number(new URL(docs.url).port) })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  test("ends open connections when it is closed", async () => {
    const other = await serveDocs({ root });
    await (await fetch(other.url)).text();
    await other.close();
    await expect(fetch(other.url)).rejects.toThrow();
  });
});
