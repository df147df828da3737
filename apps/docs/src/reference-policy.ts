/** What lets Redoc's script run under a policy that takes no text for code and no style that is not known beforehand. */
import { substitute } from "./substitution.ts";

const bundle = "Redoc's script";

/** Its search tries to make a worker of a text, and does without one where it may not; here it never may. */
export function withoutEval(script: string): string {
  return substitute(script, bundle, /try\{return \w+\._factory\?\?=Function\(\w+\),!0\}catch\{return!1\}/g, () => "return!1");
}

/** The styles that it writes at words of highlighted code: one of its variables each. */
export function codeStyles(script: string): string[] {
  const variables = new Set(script.match(/--code-block-tokens-[a-z-]+-color/g));
  if (variables.size === 0) throw new Error(`${bundle} no longer names the colours of code: see what it writes in their place`);
  return [...variables].map((variable) => `color: var(${variable})`);
}
