/**
 * The Chain Query HTTP API as a service over a chain. Most run it as the command `chain-query-server`; a program can run it too.
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
export { type Awaitable, type ChainSource, SourceError } from "./chain-source.ts";
export { parseServeOptions } from "./command/arguments.ts";
export { type OnProgress, type Service, serve } from "./processes/serve.ts";
export { type LogLevel, type ServeOptions, StartError } from "./serve-options.ts";
