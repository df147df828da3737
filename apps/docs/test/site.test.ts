import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationsOf, readContract } from "../src/contract.ts";
import { builtSite } from "./built-site.ts";
import { fetched, leavesSite, linked } from "./references.ts";

let site: Awaited<ReturnType<typeof builtSite>>;
let page: string;
beforeAll(async () => {
  site = await builtSite();
  page = await readFile(join(site.folder, "index.html"), "utf8");
}, 60_000);
afterAll(() => site.dispose());

const source = (name: string): Promise<string> =>
  readFile(fileURLToPath(import.meta.resolve(`@chain-query/openapi/${name}`)), "utf8");
/** What is painted before any script runs. */
const painted = (): string => page.replaceAll(/<script[\s\S]*?<\/script>/g, "");

describe("page", () => {
  test("fetches only files that lie beside it", async () => {
    const files = await readdir(site.folder, { recursive: true });
    const addresses = fetched(page);
    expect(addresses).toContain("favicon.svg");
    expect(addresses.filter(leavesSite)).toEqual([]);
    expect(addresses.filter((address) => !/^(data:|#)/.test(address) && !files.includes(address))).toEqual([]);
  });

  test("links elsewhere only to name Redoc", () => {
    expect(linked(page).filter(leavesSite)).toEqual(["https://redocly.com/redoc/"]);
  });

  test("links to routes of its own router, to its headings or to files beside it", async () => {
    const files = await readdir(site.folder, { recursive: true });
    const others = linked(page).filter((address) => !/^(#|mailto:|https:)/.test(address));
    expect(others).toContain("openapi.yaml");
    expect(others).toContain("workflows/head-to-block.arazzo.yaml");
    expect(others.filter((address) => !files.includes(address))).toEqual([]);
  });

  test("names all eight operations before any script runs", async () => {
    const operations = operationsOf(readContract(await source("openapi.json")));
    expect(operations).toHaveLength(8);
    for (const { operationId } of operations) expect(painted()).toContain(`>${operationId}</a>`);
  });

  test("shows the address of a server with its defaults filled in", () => {
    expect(painted()).toContain("http://127.0.0.1:4010");
    expect(painted()).not.toContain("{base_url}");
  });

  test("says its language, its title and what it is about", () => {
    expect(page).toMatch(/^<!doctype html>\s*<html lang="en">/);
    expect(page).toContain("<title>Chain Query: API reference</title>");
    expect(page).toMatch(/<meta name="description" content="[^"]{20,}\." \/>/);
  });

  test("carries the contract as data and runs no script of its own but the choice of colours", () => {
    const scripts = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)].filter(
      ([, attributes]) => !/json|src=/.test(attributes ?? ""),
    );
    expect(scripts.map(([, , text]) => text)).toEqual([expect.stringContaining("redoc.colorMode")]);
    const definition = /<script type="application\/json" id="redoc-definition">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "";
    expect(readContract(definition).info.title).toBe("Chain Query");
  });
});

describe("script", () => {
  test("is deferred, and named by the hash of its text", async () => {
    const [, name = "", hash] = /<script defer src="(redoc\.([0-9a-f]{16})\.js)">/.exec(page) ?? [];
    const text = await readFile(join(site.folder, name));
    expect(createHash("sha256").update(text).digest("hex").slice(0, 16)).toBe(hash);
  });

  test("turns telemetry off", async () => {
    const name = (await readdir(site.folder)).find((file) => file.endsWith(".js")) ?? "";
    expect(await readFile(join(site.folder, name), "utf8")).toContain("disableTelemetry: true },");
  });
});

describe("downloads", () => {
  test.each([
    ["openapi.yaml", "openapi.yaml"],
    ["openapi.json", "openapi.json"],
    ["decisions.md", "DECISIONS.md"],
  ])("has %s as the contract's package has it", async (name, original) => {
    expect(await readFile(join(site.folder, name), "utf8")).toBe(await source(original));
  });
});
