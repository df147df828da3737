/**
 * The Chain Query HTTP API as a service over a chain. Most run it as the command `chain-query-server`; a program can run it too.
 *
 * @example
 * ```ts
 * import { serve, serveWishIn } from "@chain-query/server";
 *
 * const wish = serveWishIn(["--port", "0", "--chain", "my-chain"], {});
 * const service = wish.kind === "serve" ? await serve(wish.options) : undefined;
 * console.log(service?.url);
 * ```
 *
 * @module
 */
export { type Awaitable, type ChainSource, SourceError } from "./chain-source.ts";
export { OptionError } from "./options/option-error.ts";
export { type ServeWish, serveWishIn } from "./options/read-options.ts";
export type { LogLevel, ServeOptions } from "./options/serve-options.ts";
export { type OnProgress, type Service, serve } from "./processes/serve.ts";
