/** SHA-512 (FIPS 180-4), of which browsers need little: bigints are short, and 64-bit words of two halves would be faster. */

const BITS = 64n;
const MASK = 0xffff_ffff_ffff_ffffn;

/** The first bits of the fraction of a root. */
function fractionOfRoot(value: bigint, degree: bigint): bigint {
  let root = 0n;
  for (let bit = 1n << 70n; bit > 0n; bit >>= 1n) {
    if ((root | bit) ** degree <= value << (BITS * degree)) root |= bit;
  }
  return root & MASK;
}

/** From the square roots of the first 8 primes, and the cube roots of the first 80. */
function makeConstants() {
  const primes: bigint[] = [];
  for (let n = 2n; primes.length < 80; n++) if (primes.every((prime) => n % prime > 0n)) primes.push(n);
  return {
    start: primes.slice(0, 8).map((prime) => fractionOfRoot(prime, 2n)),
    rounds: primes.map((prime) => fractionOfRoot(prime, 3n)),
  };
}

let constants: ReturnType<typeof makeConstants> | undefined;

const rotate = (word: bigint, by: bigint): bigint => ((word >> by) | (word << (BITS - by))) & MASK;
const mix = (word: bigint, one: bigint, two: bigint, three: bigint): bigint =>
  rotate(word, one) ^ rotate(word, two) ^ rotate(word, three);

/** SHA-512, 64 bytes. */
export function sha512(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  constants ??= makeConstants();
  const { start, rounds } = constants;
  const padded = new DataView(new ArrayBuffer((bytes.length + 17 + 127) & ~127));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setBigUint64(padded.byteLength - 8, BigInt(bytes.length) * 8n);
  let state = start;
  for (let block = 0; block < padded.byteLength; block += 128) {
    const words: bigint[] = [];
    let [a, b, c, d, e, f, g, h] = state as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
    for (const [i, round] of rounds.entries()) {
      const at = (back: number) => words[i - back] as bigint;
      words[i] =
        i < 16
          ? padded.getBigUint64(block + 8 * i)
          : (at(16) +
              at(7) +
              (rotate(at(15), 1n) ^ rotate(at(15), 8n) ^ (at(15) >> 7n)) +
              (rotate(at(2), 19n) ^ rotate(at(2), 61n) ^ (at(2) >> 6n))) &
            MASK;
      const one = h + mix(e, 14n, 18n, 41n) + ((e & f) ^ (~e & MASK & g)) + round + at(0);
      const two = mix(a, 28n, 34n, 39n) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) & MASK, c, b, a, (one + two) & MASK];
    }
    state = [a, b, c, d, e, f, g, h].map((word, i) => (word + (state[i] as bigint)) & MASK);
  }
  const digest = new DataView(new ArrayBuffer(64));
  for (const [i, word] of state.entries()) digest.setBigUint64(8 * i, word);
  return new Uint8Array(digest.buffer);
}
