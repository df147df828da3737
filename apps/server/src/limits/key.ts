/** What a key looks like: a public name to find it by, and a secret of which only the hash is kept. */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** A key taken apart. */
export interface KeyParts {
  /** 12 hexadecimal digits; lists and logs may show it. */
  readonly id: string;
  readonly secret: string;
}

const form = /^cq_([0-9a-f]{12})_([\w-]{43})$/;

/** Makes a new key: 48 bits of name and 256 bits of secret. */
export function newKey(): KeyParts & { readonly text: string } {
  const id = randomBytes(6).toString("hex");
  const secret = randomBytes(32).toString("base64url");
  return { id, secret, text: `cq_${id}_${secret}` };
}

/** Takes a key apart; undefined where no key can look like that. */
export function keyIn(text: string): KeyParts | undefined {
  const [, id, secret] = form.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** A text without the secrets of the keys in it. */
export function withoutKeys(text: string): string {
  return text.replaceAll(/(cq_[0-9a-f]{12})_[\w-]+/g, "$1_…");
}

/** SHA-256 of the secret. It has 256 random bits, so that a slow hash would protect nothing. */
export function hashOf(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

/** Whether a secret has this hash, in the same time whatever the answer is. */
export function isSecretOf(secret: string, expected: Uint8Array): boolean {
  return timingSafeEqual(hashOf(secret), expected);
}
