/** The form of API keys: a public id and a secret, of which stores hold only the hash. */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";

const keyForm = /^cq_([0-9a-f]{12})_([\w-]{43})$/;
const unknownHash = hashOf("");

/** The id of a key, undefined if the text is not one, and the hash of its secret. */
export function readApiKey(text: string): { readonly id: string | undefined; readonly hash: Uint8Array } {
  const [, id, secret = ""] = keyForm.exec(text) ?? [];
  return { id, hash: hashOf(secret) };
}

/** Makes a key. Its text is not stored. */
export function makeApiKey(): { readonly id: string; readonly hash: Uint8Array; readonly text: string } {
  const id = randomBytes(6).toString("hex");
  const secret = randomBytes(32).toString("base64url");
  return { id, hash: hashOf(secret), text: `cq_${id}_${secret}` };
}

/**
 * Whether a hash is the stored one. The comparison takes the same time for any secret. Ids are public: whether a store has one may show
 * in the time of a refusal, since an id that no copy has is read from the database.
 */
export function isSameSecret(sent: Uint8Array, stored: Uint8Array | undefined): boolean {
  return timingSafeEqual(sent, stored ?? unknownHash) && stored !== undefined;
}

/** SHA-256 of the secret. It has 256 random bits, so a slow password hash would add no protection. */
function hashOf(secret: string): Uint8Array {
  return hash("sha256", secret, "buffer");
}
