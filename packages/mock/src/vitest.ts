/**
 * A setup file for vitest: starts a mock for each test file, puts its URL into `process.env.CHAIN_QUERY_URL` until the end of the file,
 * and resets the mock after each test.
 *
 * @example
 * ```ts
 * // vitest.config.ts
 * export default defineConfig({ test: { setupFiles: ["@chain-query/mock/vitest"] } });
 *
 * // any test
 * import { mock } from "@chain-query/mock/vitest";
 * test("waits after a 429", async () => {
 *   mock.override("getMasterchainInfo", 429);
 *   // …
 * });
 * ```
 *
 * @module
 */
import { afterAll, afterEach } from "vitest";
import { type Mock, startMock } from "./index.ts";

/** The mock of this test file. */
export const mock: Mock = await startMock();

const before = process.env["CHAIN_QUERY_URL"];
process.env["CHAIN_QUERY_URL"] = mock.url;
afterEach(() => mock.reset());
afterAll(async () => {
  if (before === undefined) delete process.env["CHAIN_QUERY_URL"];
  else process.env["CHAIN_QUERY_URL"] = before;
  await mock.close();
});
