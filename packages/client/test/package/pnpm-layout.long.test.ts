import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runPnpm, sharedTarballs } from "@chain-query/testing/services";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../matrix/command.ts";
import { packed as names } from "../../matrix/consumer.ts";

const require = createRequire(import.meta.url);
const { signal } = new AbortController();

const programs = {
  "types.ts": `
    import type { BlockId, EnvelopeOf, FullAccountState, LookupBlockInput, OperationId, RequestOf, ResultOf } from "@chain-query/client";
    const block: ResultOf<"lookupBlock"> = 0 as unknown as BlockId;
    const account: EnvelopeOf<"getAddressInformation">["result"] = 0 as unknown as FullAccountState;
    const input: LookupBlockInput = { workchain: block.workchain, shard: block.shard, seqno: account.sync_utime };
    const wire: RequestOf<"getAddressInformation"> = { address: "" };
    export const id: OperationId = "lookupBlock";
    // @ts-expect-error a response is no number
    const wrong: ResultOf<"lookupBlock"> = 5;
    export const all = [input, wire, wrong];`,
  "keys.ts": `
    import { type BlockId, createClient } from "@chain-query/client";
    import { createQueries } from "@chain-query/client/query";
    import { QueryClient } from "adapter";
    const queries = createQueries(createClient({ baseUrl: "http://node.test" }));
    const head = new QueryClient().getQueryData(queries.getMasterchainInfo().queryKey);
    export const last: BlockId | undefined = head?.last;
    // @ts-expect-error the head has no such member
    export const wrong = head?.first;`,
  "direct.ts": `import type { BlockId } from "@chain-query/types"; export type Block = BlockId;`,
  "required.cts": `
    import { createClient, type RawClient } from "@chain-query/client";
    export const raw: RawClient = createClient({ baseUrl: "http://node.test" }).raw;`,
};

/** The only dependencies are the packed client and a package that brings TanStack, like React's adapter. */
test("a project under pnpm that depends on the client alone has all types, and typed keys of TanStack", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pnpm-layout-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const { paths } = await sharedTarballs();
  const packed = Object.fromEntries(names.map((name) => [name, `file:${paths[name]}`]));
  const [project, adapter] = [join(folder, "project"), join(folder, "adapter")];
  const files = {
    [join(adapter, "package.json")]: {
      name: "adapter",
      version: "1.0.0",
      type: "module",
      exports: { types: "./index.d.ts" },
      dependencies: { "@tanstack/query-core": "*" },
    },
    [join(adapter, "index.d.ts")]: 'export * from "@tanstack/query-core";',
    [join(project, "package.json")]: {
      private: true,
      type: "module",
      dependencies: { "@chain-query/client": packed["@chain-query/client"], adapter: `file:${adapter}` },
    },
    // Nothing comes from a registry.
    [join(project, "pnpm-workspace.yaml")]: {
      overrides: { ...packed, "@tanstack/query-core": `file:${dirname(require.resolve("@tanstack/query-core/package.json"))}` },
    },
    [join(project, "tsconfig.json")]: {
      compilerOptions: { strict: true, module: "nodenext", target: "es2022", lib: ["es2022", "dom"], types: [], noEmit: true },
      include: ["*.ts", "*.cts"],
    },
    ...Object.fromEntries(Object.entries(programs).map(([name, text]) => [join(project, name), text])),
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  await runPnpm(["install", "--offline", "--no-lockfile"], project);

  const compiler = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
  const compiled = await run(process.execPath, [compiler, "-p", ".", "--pretty", "false"], { cwd: project, signal }).catch(
    String,
  );
  const errors = compiled.match(/^\S+: error .*$/gm) ?? [];
  expect(errors, compiled).toEqual([expect.stringMatching(/^direct\.ts\(1,\d+\): error TS2307: /)]);
});
