/** SHA-256 (FIPS 180-4) where Node.js has none. A third of the bytes of a general library, and half the time for the few bytes of a cell. */

/** The first 32 bits of the fraction of a number. */
const fractionOf = (root: number): number => Math.floor((root % 1) * 2 ** 32);

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime > 0)) primes.push(n);
  return primes;
}

const PRIMES: readonly number[] = /* @__PURE__ */ firstPrimes(64);
const START: Int32Array = /* @__PURE__ */ Int32Array.from(PRIMES.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime)));
const ROUNDS: Int32Array = /* @__PURE__ */ Int32Array.from(PRIMES, (prime) => fractionOf(Math.cbrt(prime)));
const words: Int32Array = /* @__PURE__ */ new Int32Array(64);

/** SHA-256, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  const end = (length + 9 + 63) & ~63;
  const padded = new Uint8Array(end);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(end - 8, length / 2 ** 29);
  view.setUint32(end - 4, length << 3);
  const state = START.slice();
  for (let from = 0; from < end; from += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(from + 4 * i);
    compress(state);
  }
  for (let i = 0; i < 8; i++) view.setInt32(4 * i, state[i] as number);
  return padded.slice(0, 32);
}

/** Adds the block in the first 16 words to a state. */
function compress(state: Int32Array): void {
  const at = (i: number): number => state[i] as number;
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15] as number;
    const late = words[i - 2] as number;
    const mixed =
      (rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)) + (rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10));
    words[i] = (mixed + (words[i - 16] as number) + (words[i - 7] as number)) | 0;
  }
  let a = at(0);
  let b = at(1);
  let c = at(2);
  let d = at(3);
  let e = at(4);
  let f = at(5);
  let g = at(6);
  let h = at(7);
  for (let i = 0; i < 64; i++) {
    const chosen = (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g));
    const one = (h + chosen + (ROUNDS[i] as number) + (words[i] as number)) | 0;
    const two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state.set([at(0) + a, at(1) + b, at(2) + c, at(3) + d, at(4) + e, at(5) + f, at(6) + g, at(7) + h]);
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
