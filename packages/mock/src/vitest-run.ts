/**
 * A global setup for vitest: starts one mock for all test files of a run and puts its URL into `process.env.CHAIN_QUERY_URL`. Test files
 * choose responses with `Prefer`; a file that overrides responses or reads requests starts its own mock from `@chain-query/mock/vitest`.
 *
 * @example
 * ```ts
 * // vitest.config.ts
 * export default defineConfig({ test: { globalSetup: ["@chain-query/mock/vitest-run"] } });
 *
 * // any test
 * const chain = createClient({ baseUrl: process.env["CHAIN_QUERY_URL"] ?? "" });
 * ```
 *
 * @module
 */
import { startMock } from "./index.ts";

/** Called by vitest before the first test file; its result is called after the last one. */
export default async function setup(): Promise<() => Promise<void>> {
  const mock = await startMock();
  process.env["CHAIN_QUERY_URL"] = mock.url;
  return () => mock.close();
}
