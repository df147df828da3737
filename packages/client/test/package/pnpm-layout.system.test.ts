import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import rootPackage from "../../../../package.json" with { type: "json" };
import { run } from "../../matrix/command.ts";
import { pack } from "../../matrix/consumer.ts";

const require = createRequire(import.meta.url);
const { signal } = new AbortController();
let folder: string;
let project: string;

/** A project whose only dependencies are the packed client and a package that brings TanStack, as React's adapter does. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pnpm-layout-"));
  await pack(folder, signal);
  project = join(folder, "project");
  const adapter = join(folder, "adapter");
  await mkdir(project);
  await mkdir(adapter);
  const { version } = require("@tanstack/query-core/package.json") as { version: string };
  const write = (path: string, content: object) => writeFile(path, JSON.stringify(content));
  await write(join(adapter, "package.json"), {
    name: "adapter",
    version: "1.0.0",
    type: "module",
    exports: { types: "./index.d.ts" },
    dependencies: { "@tanstack/query-core": version },
  });
  await writeFile(join(adapter, "index.d.ts"), 'export * from "@tanstack/query-core";');
  await run("npx", ["--yes", rootPackage.packageManager, "pack", "--out", join(folder, "adapter.tgz")], {
    cwd: adapter,
    signal,
  });
  const tarball = (name: string) => `file:${join(folder, `${name}.tgz`)}`;
  await write(join(project, "package.json"), {
    private: true,
    type: "module",
    dependencies: { "@chain-query/client": tarball("client"), adapter: tarball("adapter") },
  });
  await write(join(project, "pnpm-workspace.yaml"), {
    overrides: { "@chain-query/types": tarball("types"), "@chain-query/openapi": tarball("openapi") },
  });
  await run("npx", ["--yes", rootPackage.packageManager, "install", "--prefer-offline", "--no-lockfile"], {
    cwd: project,
    signal,
  });
  await write(join(project, "tsconfig.json"), {
    compilerOptions: { strict: true, module: "nodenext", target: "es2022", lib: ["es2022", "dom"], types: [], noEmit: true },
    include: ["*.ts"],
  });
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

async function compile(name: string, program: string): Promise<string> {
  await writeFile(join(project, `${name}.ts`), program);
  const compiler = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
  const compiled = run(process.execPath, [compiler, "-p", "."], { cwd: project, signal });
  const text = await compiled.then(
    () => "",
    (error: unknown) => String(error),
  );
  await rm(join(project, `${name}.ts`));
  return text;
}

describe("a project under pnpm that depends on the client alone", () => {
  test("imports all types of the contract from it", { timeout: 120_000 }, async () => {
    const program = `
      import type { BlockId, EnvelopeOf, FullAccountState, LookupBlockInput, OperationId, RequestOf, ResultOf } from "@chain-query/client";
      const block: ResultOf<"lookupBlock"> = 0 as unknown as BlockId;
      const account: EnvelopeOf<"getAddressInformation">["result"] = 0 as unknown as FullAccountState;
      const input: LookupBlockInput = { workchain: block.workchain, shard: block.shard, seqno: account.sync_utime };
      const wire: RequestOf<"getAddressInformation"> = { address: "" };
      export const id: OperationId = "lookupBlock";
      // @ts-expect-error an answer is no number
      const wrong: ResultOf<"lookupBlock"> = 5;
      export const all = [input, wire, wrong];`;
    expect(await compile("types", program)).toBe("");
    expect(await compile("direct", 'import type { BlockId } from "@chain-query/types"; export type Block = BlockId;')).toMatch(
      /TS2307/,
    );
  });

  test("has typed keys where TanStack is a dependency of a dependency", { timeout: 120_000 }, async () => {
    const program = `
      import { type BlockId, createClient } from "@chain-query/client";
      import { createQueries } from "@chain-query/client/query";
      import { QueryClient } from "adapter";
      const queries = createQueries(createClient({ baseUrl: "http://node.test" }));
      const head = new QueryClient().getQueryData(queries.getMasterchainInfo().queryKey);
      export const last: BlockId | undefined = head?.last;
      // @ts-expect-error the head has no such member
      export const wrong = head?.first;`;
    expect(await compile("keys", program)).toBe("");
  });
});
