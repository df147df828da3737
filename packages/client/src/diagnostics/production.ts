/** Takes the place of development.ts in browser builds for production: accepts all options, if there is a base URL. */
import type { CheckOptions, DescribeResponse, ThrowInvalidInput } from "./development.ts";
import { throwInvalid } from "./rules.ts";

/** Returns the options that are not undefined. */
export const checkOptions: CheckOptions = (kind, given) => {
  const passed = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
  if (kind === "client" && typeof passed["baseUrl"] !== "string") throwInvalid("createClient", "baseUrl is not accepted");
  return passed;
};

export const throwInvalidInput: ThrowInvalidInput = (operation, name) =>
  throwInvalid(operation, `${name || "none"} is not accepted`);

export const reasonOf = (thrown: unknown): unknown => Object(thrown).message || thrown;

export const describeKey = (): string => "apiKey must be or return visible ASCII";

export const describeResponse: DescribeResponse = ({ request, status }, shown, text, received) => {
  const isOther = received ? received.ok === undefined : text[0] !== "{";
  return `${isOther ? "check baseUrl: " : ""}unexpected response to ${request}: HTTP ${status || "redirect"}: ${shown}`;
};

// A bundler leaves out calls of empty functions that are declared.
export function label(): void {}

export function checkWire(): void {}

export function checkCursor(): void {}

export function annotate(): void {}

export function noticeWait(): void {}
