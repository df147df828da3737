/** Takes the place of options.ts in browser builds for production: accepts all options. */
import type { CheckOptions } from "./options.ts";

/** Returns the options that are not undefined. */
export const checkOptions: CheckOptions = (_, given) =>
  Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
