/**
 * Typed client of the Chain Query HTTP API.
 *
 * @module
 */
export { type ChainClient, type ClientOptions, createClient, type InputOf } from "./client.ts";
export { ApiError, ChainQueryError, ParseError } from "./errors.ts";
