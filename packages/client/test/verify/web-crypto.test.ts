import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { expect, test } from "vitest";
import * as script from "../../src/verify/ed25519.ts";
import { isSignature, sha512 } from "../../src/verify/web-crypto.ts";

const flipped = (bytes: Uint8Array, at: number) => bytes.with(at, Number(bytes[at]) ^ 1);

test.for([sha512, script.sha512])("SHA-512 is that of Node.js", async (hash) => {
  const bytes = new Uint8Array(48).map((_, i) => i * 7);
  expect(await hash(bytes)).toEqual(new Uint8Array(createHash("sha512").update(bytes).digest()));
});

test.for([
  ["WebCrypto", isSignature],
  ["the script", (...all: Parameters<typeof isSignature>) => script.isSignature(...all).catch(() => false)],
] as const)("%s accepts a signature, and no other one", async ([, verify]) => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key = new Uint8Array(publicKey.export({ format: "der", type: "spki" }).subarray(-32));
  const message = new Uint8Array(randomBytes(68));
  const signature = new Uint8Array(sign(null, message, privateKey));
  expect(await verify(signature, message, key)).toBe(true);
  for (const at of [0, 31, 32, 63]) expect(await verify(flipped(signature, at), message, key)).toBe(false);
  expect(await verify(signature, flipped(message, 0), key)).toBe(false);
  // A key of small order, for which every message would have the same signature.
  const small = new Uint8Array(64).fill(1, 0, 1);
  expect(await verify(small, message, new Uint8Array(32).fill(1, 0, 1))).toBe(false);
  expect(await verify(signature.subarray(0, 63), message, key)).toBe(false);
});
