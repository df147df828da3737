/** The script of the reference page: Redoc, made to run from a plain file and to ask nobody else for anything. */
import { hashedAsset } from "./assets.ts";
import type { SiteContent } from "./page.ts";
import { redocBundle } from "./redocly.ts";
import { accessible } from "./reference-accessibility.ts";
import { scrollOffset, withoutHeaderHeight } from "./reference-header.ts";
import { inSteps } from "./reference-hydration.ts";
import { substitute } from "./substitution.ts";

/** The elements of the page that the script reads. */
export const elementIds = { page: "redoc", definition: "redoc-definition", options: "redoc-options" };

const bundle = "Redoc's script";
/** Stands for the logo that Redoc would fetch: the name as text, grey enough for both colour modes. */
const logo = dataUrl(
  `<svg xmlns="http://www.w3.org/2000/svg" width="36" height="12"><text y="9.5" font-family="sans-serif" font-size="10" fill="#6b7688">Redoc</text></svg>`,
);
const start = `setTimeout(() => hydrate(
  JSON.parse(document.getElementById(${JSON.stringify(elementIds.definition)}).textContent),
  { ...JSON.parse(document.getElementById(${JSON.stringify(elementIds.options)}).textContent), disableTelemetry: true, scrollYOffset: ${scrollOffset} },
  document.getElementById(${JSON.stringify(elementIds.page)}),
));`;

/** What is changed in Redoc's script, each change for its own reason. */
const changes = [selfContained, samplesByExample, withoutHeaderHeight, inSteps, accessible];

/** Makes the script; its name carries the hash of its text, so that it can be cached for ever. */
export async function referenceScript(): Promise<SiteContent> {
  const text = asClassicScript(changes.reduce((script, change) => change(script), await redocBundle()));
  return hashedAsset("redoc", "js", text);
}

/**
 * A browser loads no module from a file:// page, so the exports and `import.meta` go, and the page starts itself. Reading so long a
 * script and running it are two tasks, between which the page can answer its reader; the parentheses have it compiled while it is read.
 */
function asClassicScript(module: string): string {
  const withoutMeta = substitute(module, bundle, /\bimport\.meta\b/g, () => "({})");
  const body = substitute(withoutMeta, bundle, /export\{RedocStandalone,hydrate,init\};\s*$/, () => "");
  return `setTimeout((() => {\n${body}\n${start}\n}));\n`;
}

function selfContained(script: string): string {
  const withLogo = substitute(
    script,
    bundle,
    /`https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg`/g,
    () => `\`${logo}\``,
  );
  // Where Redoc knows the contract's address, it offers to send the page to chat services.
  return substitute(withLogo, bundle, /\bspecUrl:\w+\?\?\w+\?\.\[0\]\?\.url\b/g, () => "specUrl:undefined");
}

/**
 * Redoc shows one sample in each language, whichever example is selected beside it. Ours carry the `sources` of all examples by
 * name, and the selected one is shown.
 */
function samplesByExample(script: string): string {
  const whole = substitute(
    script,
    bundle,
    /(\[`x-codeSamples`\])\?\.map\(\(\{lang:(\w+),label:(\w+),source:(\w+)\}\)=>\(\{lang:\2,label:\3,source:\4\}\)\)/g,
    (_, samples = "") => samples,
  );
  const chosen =
    /,(\w+)=\w+\?\w+\[\w+\]\?\.key\?\?\w+:void 0,[\w$]+=[^;]+return``;let (\w+)=[^;]+;return \2\?\2\.source:`[^;]+`unsupportedLanguage`[^\]]+\},\[/g;
  return substitute(whole, bundle, chosen, (found, example = "", sample = "") =>
    `${found}${example},`.replace(`${sample}?${sample}.source`, `${sample}?${sample}.sources?.[${example}]??${sample}.source`),
  );
}

function dataUrl(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
