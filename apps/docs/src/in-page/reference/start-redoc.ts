/**
 * Starts Redoc, which takes over the prerendered page. Its script blocks a phone for seconds, so it runs at the first interaction, or at
 * once if the address has a route, which is not prerendered.
 */

interface Redoc {
  hydrate(definition: object, options: object, element: HTMLElement | null): Promise<void>;
}

/** Addresses of Redoc's script in both formats. */
export interface RedocScripts {
  module: string;
  classic: string;
}

declare global {
  /** Defined by the classic script. */
  var redoc: Redoc | undefined;
}

const interactions = ["pointermove", "pointerdown", "keydown", "wheel", "touchstart", "scroll", "focusin", "hashchange"];

/** Starts Redoc at the first interaction, or at once. */
export function startRedoc(scripts: RedocScripts, definition: Promise<object>, options: object): void {
  const waiting = new AbortController();
  const start = async (): Promise<void> => {
    if (waiting.signal.aborted) return;
    waiting.abort();
    const { hydrate } = await load(scripts);
    await hydrate(await definition, options, document.getElementById("redoc"));
  };
  if (location.hash.startsWith("#/")) void start();
  // Preloads the script after all other files, so that the first interaction only has to run it.
  if (location.protocol !== "file:") addEventListener("load", () => setTimeout(() => preload(scripts.module)), { once: true });
  for (const name of interactions) addEventListener(name, () => void start(), { passive: true, signal: waiting.signal });
}

function preload(module: string): void {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = module;
  document.head.append(link);
}

/** Loads Redoc's script, as a classic one on `file:` pages, where browsers do not load modules. */
async function load({ module, classic }: RedocScripts): Promise<Redoc> {
  if (location.protocol !== "file:") return import(new URL(module, location.href).href);
  const script = document.createElement("script");
  script.src = classic;
  await new Promise((resolve, reject) => {
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
    document.head.append(script);
  });
  if (globalThis.redoc === undefined) throw new Error(`${classic} did not define redoc`);
  return globalThis.redoc;
}
