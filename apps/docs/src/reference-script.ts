/** The script of the reference page: Redoc, made to run from a plain file and to ask nobody else for anything. */
import { createHash } from "node:crypto";
import { redocBundle } from "./redocly.ts";
import { substitute } from "./substitution.ts";

/** The elements of the page that the script reads. */
export const elementIds = { page: "redoc", definition: "redoc-definition", options: "redoc-options" };

const bundle = "Redoc's script";
/** Stands for the logo that Redoc would fetch: the name as text, grey enough for both colour modes. */
const logo = dataUrl(
  `<svg xmlns="http://www.w3.org/2000/svg" width="36" height="12"><text y="9.5" font-family="sans-serif" font-size="10" fill="#6b7688">Redoc</text></svg>`,
);
const start = `hydrate(
  JSON.parse(document.getElementById(${JSON.stringify(elementIds.definition)}).textContent),
  { ...JSON.parse(document.getElementById(${JSON.stringify(elementIds.options)}).textContent), disableTelemetry: true },
  document.getElementById(${JSON.stringify(elementIds.page)}),
);`;

/** Makes the script; its name carries the hash of its text, so that it can be cached for ever. */
export async function referenceScript(): Promise<{ name: string; text: string }> {
  const text = selfContained(asClassicScript(await redocBundle()));
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { name: `redoc.${hash}.js`, text };
}

/** A browser loads no module from a file:// page, so the exports and `import.meta` go, and the page starts itself. */
function asClassicScript(module: string): string {
  const withoutMeta = substitute(module, bundle, /\bimport\.meta\b/g, () => "({})");
  const body = substitute(withoutMeta, bundle, /export\{RedocStandalone,hydrate,init\};\s*$/, () => "");
  return `(() => {\n${body}\n${start}\n})();\n`;
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

function dataUrl(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
