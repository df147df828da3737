import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe("the docs", () => {
  test("are served with everything that their page asks for", async () => {
    const page = await fetch(`${service.url}/docs`);
    expect([page.status, page.url]).toEqual([200, `${service.url}/docs/`]);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await page.text();
    const parts = [...html.matchAll(/(?:src|href)="([^"#:]+)"/g)].map(([, path = ""]) => path);
    expect(parts.length).toBeGreaterThan(0);
    for (const part of new Set(parts)) {
      const { status } = await fetch(new URL(part, page.url));
      expect([part, status]).toEqual([part, 200]);
    }
  });

  test("tell their methods", async () => {
    for (const path of ["/docs", "/docs/", "/docs/index.html"]) {
      const { status, headers } = await fetch(service.url + path, { method: "OPTIONS" });
      expect([path, status, headers.get("allow")]).toEqual([path, 204, "GET, HEAD, OPTIONS"]);
    }
  });

  test("have no file that is not theirs", async () => {
    for (const path of [
      "/docs/none.html",
      "/docs/../package.json",
      "/docs/..%2f..%2fpackage.json",
      "/docs/%2e%2e/%2e%2e/package.json",
    ]) {
      const response = await fetch(service.url + path);
      expect(await response.json()).toMatchObject({ ok: false, code: 404 });
    }
  });
});
