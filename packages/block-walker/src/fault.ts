/** Something in a block or a state is not as the scheme says. */
export class Fault extends Error {
  override name = "Fault";
}

/** Throws a Fault that says what is wrong, unless it is right. */
export function must(right: boolean, what: string): asserts right {
  if (!right) throw new Fault(what);
}

/** Throws a Fault unless both texts are equal. */
export function mustEqual(found: unknown, expected: unknown, what: string): void {
  must(String(found) === String(expected), `${what} is ${found} instead of ${expected}`);
}
