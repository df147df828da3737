/**
 * A client that believes no deployment: each result is derived from cells with a proof that validators signed.
 *
 * @example
 * ```ts
 * const trust = trustStore({ network, keyBlock, save, maxTrustAge: "30d", maxHeadAge: 60 });
 * await trust.advance(client);
 * const chain = verifying(client, { trust });
 * const { balance } = await chain.getAddressInformation({ address }); // verified, or a ProofError
 * ```
 *
 * @module
 */
export { boundedFetch } from "./verify/bounded-fetch.ts";
export { ProofError, type ProofPart } from "./verify/proof-error.ts";
export type { KeyBlock, Network, TrustOptions, TrustStore, VerifiedHead } from "./verify/trust-options.ts";
export { trustStore } from "./verify/trust-store.ts";
export { type VerifyingClient, verifying } from "./verify/verifying.ts";
