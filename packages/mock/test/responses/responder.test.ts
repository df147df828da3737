import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { startMock } from "../../src/index.ts";
import { type ApiRequest, createResponder, exampleSource } from "../../src/responder.ts";
import { examples, send } from "../calls.ts";

const respond = createResponder({ source: exampleSource });
const request: ApiRequest = {
  ...{ method: "POST", path: "/api/v2/getConsensusBlock", query: {}, headers: {}, body: {}, size: 2, client: "" },
};

describe("createResponder with exampleSource", () => {
  test("responds like the mock with Prism", async () => {
    await using mock = await startMock();
    for (const one of examples) {
      for (const prefer of ["", "code=429", "code=503", `code=${one.response.status}, example=${one.condition}`]) {
        const headers = { ...one.request.headers, ...(prefer === "" ? {} : { prefer }) };
        const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
        const query = Object.fromEntries(Object.entries(one.request.query).map(([name, value]) => [name, String(value)]));
        const { method, path, body } = one.request;
        const response = await respond({ method, path, query, headers: lowerCase, body, size: 0, client: "" });
        const other = await send(mock.url, one, headers);
        expect(response).toMatchObject({ status: other.status, body: await other.json() });
        for (const [name, value] of Object.entries(response.headers)) expect(other.headers.get(name)).toBe(value);
      }
    }
  });

  test("responds to an unknown path, another method and an unknown example with failures", async () => {
    expect(await respond({ ...request, path: "/missing" })).toMatchObject({
      ...{
        status: 404,
        body: { ok: false, error: "there is no such path; expected /api/v2/ and the name of an operation", code: 404 },
      },
    });
    expect(await respond({ ...request, method: "PUT" })).toMatchObject({ status: 405, headers: { allow: "POST, OPTIONS" } });
    expect(await respond({ ...request, headers: { prefer: "example=frozen" } })).toMatchObject({ status: 422 });
  });

  test("loads neither Prism nor modules of Node.js", async () => {
    const seen = new Set<string>();
    const outside = new Set<string>();
    async function read(url: URL): Promise<void> {
      if (seen.has(url.href)) return;
      seen.add(url.href);
      const text = await readFile(url, "utf8");
      for (const [, types, from = ""] of text.matchAll(/^(?:import|export)( type)? [^;]*? from "([^"]+)"/gm)) {
        if (types !== undefined) continue;
        if (from.startsWith(".")) await read(new URL(from, url));
        else outside.add(from);
      }
    }
    await read(new URL("../../src/responder.ts", import.meta.url));
    expect(seen.size).toBeGreaterThan(3);
    const modules = ["operations", "requests", "responses"];
    expect([...outside].toSorted()).toEqual(modules.map((name) => `@chain-query/openapi/${name}`));
  });
});
