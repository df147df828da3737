import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as send } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedDocs, serveDocs } from "../src/serve.ts";
import { compressFiles } from "../src/site/compression.ts";

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
    [`site/${hashed}`]: "start();".repeat(1000),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  docs = await serveDocs({ root });
});
afterAll(async () => {
  await docs.close();
  await rm(folder, { recursive: true, force: true });
});

/** Sends a path as it is; fetch would normalise it. */
async function rawStatus(path: string): Promise<number> {
  const { port, hostname } = new URL(docs.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
  const response = await text(socket);
  expect(response).not.toContain("secret");
  return Number(response.split(" ")[1]);
}

describe("serveDocs", () => {
  test.each([
    ["/", "text/html;charset=utf-8"],
    [`/${hashed}`, "text/javascript; charset=utf-8"],
    ["/openapi.yaml", "application/yaml"],
    ["/openapi.json", "application/json"],
    ["/decisions.md", "text/markdown; charset=utf-8"],
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
    "/../site-other/secret.txt",
    "/%",
    "/nothing.html",
    "/guides/none/",
  ])("responds with 404 to %s", async (path) => {
    expect(await rawStatus(path)).toBe(404);
  });

  test.each([
    ["/guides", "./guides/"],
    ["/guides?a=1", "./guides/?a=1"],
    ["//guides", "./guides/"],
  ])("redirects %s to %s", async (path, location) => {
    const received = await new Promise<(number | string | undefined)[]>((resolve, reject) => {
      const { hostname, port } = new URL(docs.url);
      send({ hostname, port, path }, ({ statusCode, headers }) => resolve([statusCode, headers.location]))
        .once("error", reject)
        .end();
    });
    expect(received).toEqual([301, location]);
  });

  test("configures the service that the playground selects", async () => {
    await using configured = await serveDocs({ root, service: "http://127.0.0.1:4010" });
    const response = await fetch(`${configured.url}/playground/service.json`);
    expect([response.headers.get("content-type"), await response.json()]).toEqual([
      "application/json",
      { baseUrl: "http://127.0.0.1:4010" },
    ]);
  });

  test("lets only pages of the site frame a page", async () => {
    const { headers } = await fetch(docs.url, { method: "HEAD" });
    expect(headers.get("content-security-policy")).toBe("frame-ancestors 'self'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("serves 404.html at unknown addresses", async () => {
    await writeFile(join(root, "404.html"), "<p>lost</p>");
    const response = await fetch(`${docs.url}/nothing/at/all`);
    expect([response.status, await response.text()]).toEqual([404, "<p>lost</p>"]);
    await rm(join(root, "404.html"));
    expect(await (await fetch(`${docs.url}/nothing/at/all`)).text()).toBe("There is no such page.\n");
  });

  test("marks files with a hash in their name as immutable, and others as no-cache", async () => {
    const script = await fetch(`${docs.url}/${hashed}`, { method: "HEAD" });
    const page = await fetch(docs.url, { method: "HEAD" });
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(page.headers.get("cache-control")).toBe("no-cache");
  });

  test.each([
    ["br", "gzip, deflate, br"],
    ["gzip", "gzip"],
  ])("sends the %s file of the build to clients that accept it", async (encoding, accepted) => {
    await compressFiles(root);
    const compressed = await fetch(`${docs.url}/${hashed}`, { headers: { "accept-encoding": accepted } });
    expect(compressed.headers.get("content-encoding")).toBe(encoding);
    expect(Number(compressed.headers.get("content-length"))).toBeLessThan(200);
    expect(compressed.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(compressed.headers.get("vary")).toBe("Accept-Encoding");
    expect(await compressed.text()).toBe("start();".repeat(1000));
    const plain = await fetch(`${docs.url}/${hashed}`, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe("start();".repeat(1000));
  });

  test("responds with 405 to methods other than GET and HEAD", async () => {
    const response = await fetch(docs.url, { method: "POST", body: "x" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("says how to build a site if the folder has none", async () => {
    await expect(serveDocs({ root: join(folder, "none") })).rejects.toThrow("build the site first: pnpm build");
  });

  test("rejects if the port is in use", async () => {
    await expect(serveDocs({ root, port: Number(new URL(docs.url).port) })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});
