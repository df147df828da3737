import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fixture, makeFixture } from "./fixture.ts";

let fixture: Fixture;

beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => fixture.remove());

describe("release", () => {
  test("shows who it is, and asks to sign where the package comes from, in a workflow", async () => {
    const asked: string[] = [];
    const claims = Buffer.from(JSON.stringify({ repository_visibility: "public" })).toString("base64url");
    const server = createServer((request, answer) => {
      const url = request.url ?? "";
      asked.push(`${request.method} ${url.replace(/npm%3A[^&]*/, "npm")}`);
      if (url.startsWith("/identity")) answer.end(JSON.stringify({ value: `e30.${claims}.c2ln` }));
      else if (url.includes("/oidc/token/exchange/")) answer.end(JSON.stringify({ token: "for-an-hour" }));
      else answer.writeHead(404).end("{}");
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    fixture.use(url);
    Object.assign(fixture.env, {
      GITHUB_ACTIONS: "true",
      ACTIONS_ID_TOKEN_REQUEST_URL: `${url}identity?of=workflow`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "token",
    });
    // Nobody signs for a test: the release ends there, before anything is sent.
    const { code, stderr } = await fixture.release();
    expect(code).toBe(2);
    expect(stderr).toMatch(/refuses @fixture\/zeta 1\.0\.0: .*; nothing was published/);
    server.close();
    expect(asked.filter((each) => !each.startsWith("GET /@fixture"))).toEqual([
      "GET /identity?of=workflow&audience=npm",
      "POST /-/npm/v1/oidc/token/exchange/package/@fixture%2fzeta",
      "GET /identity?of=workflow&audience=sigstore",
    ]);
  });
});
