/** How Redoc takes the prerendered page over: in small steps, so that the page answers its reader meanwhile, also on a phone. */
import { substitute } from "./substitution.ts";

const bundle = "Redoc's script";

/** Where Redoc has read the contract, and where it then hands the page to React. */
const readAndHydrate =
  /(convertedDownload:!1\}\))(,\w+=\(0,(\w+)\.createElement\)[\s\S]{1,600}?)(\(0,\w+\.hydrateRoot\)\(\w+,\w+\(\w+,\w+\),\{onRecoverableError:[\s\S]{1,200}?\}\}\))/g;

/** The lines that Redoc writes to the console about itself; the browser looks up their place in the script, which takes long. */
const banner = /typeof document<`u`&&console\.info\([\s\S]*?italic;`\),/g;

/**
 * Spreads what Redoc does at once over several tasks: reading the contract, then taking the page over as a transition, which
 * React does in slices of a few milliseconds.
 */
export function inSteps(script: string): string {
  const stepwise = substitute(
    script,
    bundle,
    readAndHydrate,
    (_, read = "", between = "", react = "", hydrate = "") =>
      `${read}.then((done)=>new Promise((next)=>setTimeout(next,0,done)))${between}(0,${react}.startTransition)(()=>${hydrate})`,
  );
  return substitute(stepwise, bundle, banner, () => "");
}
