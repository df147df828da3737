/**
 * Checks, converts and compares addresses and hashes in all the forms that the API takes and gives. Works in browsers, workers,
 * Node.js, Deno and Bun.
 * @module
 */
export {
  type AccountId,
  AddressError,
  type FriendlyOptions,
  isAddress,
  type ParsedAddress,
  parseAddress,
  parseHash,
  readAddress,
  sameAddress,
  sameHash,
  toBase64Hash,
  toFriendlyAddress,
  toHexHash,
  toRawAddress,
} from "@chain-query/openapi/address";
