/**
 * Checks, converts and compares addresses and hashes in all the forms that the API takes and gives. Works in browsers, workers,
 * Node.js, Deno and Bun.
 *
 * It declares nothing itself: compilers name a type by an entry point that declares it, and a project that takes these types from
 * `@chain-query/client/address` does not depend on this package.
 * @module
 */
export * from "./address.ts";
