/** Amounts as people write them, without floating-point numbers. */
import { formatValue, throwInvalidValue } from "./diagnostics/rules.ts";

/**
 * How an amount is written.
 *
 * @example
 * ```ts
 * const money: NanoFormat = { minFractionDigits: 2 };
 * formatNano(3_500_000_000n, money); // "3.50"
 * ```
 */
export interface NanoFormat {
  /** Digits after the point that make up one unit: 9 by default, others for extra currencies. */
  decimals?: number | undefined;
  /** Digits after the point to write at least. 0 by default. */
  minFractionDigits?: number | undefined;
}

/**
 * Writes an amount of the smallest unit, as responses have it, in whole units: exact, with a point and without trailing zeros. Throws an
 * `InvalidArgumentError` if the amount is not an integer.
 *
 * @example
 * ```ts
 * formatNano("3500000000"); // "3.5"
 * formatNano(1n); // "0.000000001"
 * ```
 */
export function formatNano(nano: bigint | string | number, options: NanoFormat = {}): string {
  const { minFractionDigits = 0 } = options;
  const decimals = decimalsOf("formatNano", options);
  const isInteger =
    typeof nano === "bigint" || Number.isSafeInteger(nano) || (typeof nano === "string" && /^-?\d+$/.test(nano));
  if (!isInteger)
    throwInvalidValue("formatNano", "nano", "an integer as bigint, safe integer or decimal digits", formatValue(nano));
  if (!isCount(minFractionDigits) || minFractionDigits > decimals) {
    throwInvalidValue("formatNano", "minFractionDigits", `an integer from 0 to ${decimals}`, formatValue(minFractionDigits));
  }
  const amount = BigInt(nano);
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(whole.length).replace(/0+$/, "").padEnd(minFractionDigits, "0");
  return (amount < 0n ? "-" : "") + whole + (fraction && `.${fraction}`);
}

/**
 * Reads an amount in whole units, such as a user's input, as an integer of the smallest unit. Throws an `InvalidArgumentError` for
 * anything but decimal digits with at most one point, and for more digits after the point than the currency has.
 *
 * @example
 * ```ts
 * parseNano("3.5"); // 3500000000n
 * parseNano("0.0000000001"); // throws: it has more than 9 digits after the point
 * ```
 */
export function parseNano(text: string, options: Pick<NanoFormat, "decimals"> = {}): bigint {
  const decimals = decimalsOf("parseNano", options);
  const [, sign, whole = "", fraction = ""] = (typeof text === "string" && /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)) || [];
  if (whole === "" || fraction.length > decimals) {
    throwInvalidValue(
      "parseNano",
      "text",
      `a decimal number with at most ${decimals} digits after the point`,
      formatValue(text),
    );
  }
  const amount = BigInt(whole + fraction.padEnd(decimals, "0"));
  return sign ? -amount : amount;
}

function decimalsOf(where: string, { decimals = 9 }: NanoFormat): number {
  return isCount(decimals) && decimals <= 255
    ? decimals
    : throwInvalidValue(where, "decimals", "an integer from 0 to 255", formatValue(decimals));
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}
