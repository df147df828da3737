/**
 * A set-up file for vitest: each test file has a mock, its URL is in `process.env.CHAIN_QUERY_URL`, and every test begins with it
 * as it was when it started.
 *
 * @example
 * ```ts
 * // vitest.config.ts
 * export default defineConfig({ test: { setupFiles: ["@chain-query/mock/vitest"] } });
 *
 * // any test
 * import { mock } from "@chain-query/mock/vitest";
 * test("waits where it is told to", async () => {
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

process.env["CHAIN_QUERY_URL"] = mock.url;
afterEach(() => mock.reset());
afterAll(() => mock.close());
