import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../src/supply-chain/audit.ts";

let folder: string;
let server: Server | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chain-query-audit-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "audited", dependencies: { "left-pad": "1.3.0" } }));
  const integrity = `sha512-${"A".repeat(86)}==`;
  writeFileSync(
    join(folder, "pnpm-lock.yaml"),
    `lockfileVersion: '9.0'

importers:
  .:
    dependencies:
      left-pad:
        specifier: 1.3.0
        version: 1.3.0

packages:
  left-pad@1.3.0:
    resolution: {integrity: ${integrity}}

snapshots:
  left-pad@1.3.0: {}
`,
  );
});
afterEach(() => {
  server?.close();
  server = undefined;
  rmSync(folder, { recursive: true });
});

/** A registry whose advisories are these. */
async function registry(status: number, advisories: unknown): Promise<void> {
  server = createServer((request, answer) => {
    answer.setHeader("content-type", "application/json");
    answer.statusCode = request.url?.endsWith("/advisories/bulk") ? status : 404;
    answer.end(JSON.stringify(advisories));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  useRegistry((server.address() as AddressInfo).port);
}

function useRegistry(port: number): void {
  writeFileSync(join(folder, ".npmrc"), `registry=http://127.0.0.1:${port}/\n`);
}

const advisory = (severity: string) => ({
  "left-pad": [
    {
      id: 1,
      url: "https://example.org/GHSA-1",
      title: "Pads for ever",
      severity,
      vulnerable_versions: "<2.0.0",
      cwe: [],
      cvss: null,
    },
  ],
});

describe("auditOf", () => {
  test.for(["high", "critical"])("names a %s weakness, and where it comes from", async (severity) => {
    await registry(200, advisory(severity));
    const { lines, sound } = await auditOf(folder);
    expect(sound).toBe(false);
    expect(lines).toEqual([
      expect.stringMatching(`^audit: left-pad 1\\.3\\.0, ${severity}: Pads for ever; .*left-pad; https://example`),
    ]);
  });

  test.for([
    ["moderate", advisory("moderate")],
    ["no", {}],
  ] as const)("is content with %s weakness", async ([, advisories]) => {
    await registry(200, advisories);
    expect(await auditOf(folder)).toEqual({ lines: ["audit: nothing high or critical is known"], sound: true });
  });

  test("says that it is offline where nothing answers", async () => {
    await registry(200, {});
    server?.close();
    const { lines, sound } = await auditOf(folder);
    expect(sound).toBe(true);
    expect(lines).toEqual([expect.stringMatching(/^audit: offline, nothing was asked: .*Connection refused/)]);
  });

  test("says that it is offline where the registry does not answer such questions", async () => {
    await registry(405, {});
    const { lines, sound } = await auditOf(folder);
    expect(sound).toBe(true);
    expect(lines).toEqual([expect.stringMatching(/^audit: offline, nothing was asked: .* 405/)]);
  });

  test("does not take a missing lockfile for being offline", async () => {
    rmSync(join(folder, "pnpm-lock.yaml"));
    await expect(auditOf(folder)).rejects.toThrow("lockfile");
  });
});
