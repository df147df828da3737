/**
 * The Chain Query HTTP API as a service over a chain: the command `chain-query-server`, as a library.
 *
 * @example
 * ```ts
 * import { parseServeOptions, serve } from "@chain-query/server";
 *
 * const service = await serve(parseServeOptions(["--port", "0", "--chain", "my-chain"], {}));
 * console.log(service.url);
 * ```
 *
 * @module
 */
export { parseServeOptions } from "./command/arguments.ts";
export { StartError } from "./failure.ts";
export { type Service, serve } from "./processes/serve.ts";
export type { LogLevel, ServeOptions } from "./serve-options.ts";
