/** Takes the place of options.ts in browser builds for production: accepts all options, if there is a base URL. */
import type { CheckOptions } from "./options.ts";
import { refuse } from "./rules.ts";

/** Returns the options that are not undefined. */
export const checkOptions: CheckOptions = (kind, given) => {
  const passed = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
  if (kind === "client" && typeof passed["baseUrl"] !== "string") refuse("createClient", "baseUrl is not accepted");
  return passed;
};
