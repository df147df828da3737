/**
 * A text is not an address, or not a hash. The message says what is wrong with it and what is accepted.
 *
 * @example
 * ```ts
 * try {
 *   parseAddress(input);
 * } catch (error) {
 *   if (error instanceof AddressError) show(error.message);
 * }
 * ```
 */
export class AddressError extends TypeError {
  override readonly name: string = "AddressError";
}

export function oddCharacter(text: string, at: number): string {
  return `${JSON.stringify(text[at])} as character ${at + 1}`;
}

export function notAddress(found: string): AddressError {
  return new AddressError(
    `Not an address: found ${found}; accepted: <workchain>:<64 hexadecimal digits>, or 48 characters of base64 or base64url`,
  );
}

export function notHash(found: string): AddressError {
  return new AddressError(
    `Not a hash: found ${found}; accepted: 64 hexadecimal digits, or 44 characters of base64 or base64url (43 without =)`,
  );
}

export function wrongWorkchain(workchain: number, bits: number): AddressError {
  return notAddress(`workchain ${workchain}, no signed integer of ${bits} bits`);
}
