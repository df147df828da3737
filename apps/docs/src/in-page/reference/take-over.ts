/**
 * Lets Redoc take the prerendered page over. Its script blocks a phone for seconds, so it runs when the reader first does something, or
 * at once if the address names a place that is not prerendered.
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

/** Waits for the first interaction. */
export function takeOver(scripts: RedocScripts, definition: object, options: object): void {
  const waiting = new AbortController();
  const start = async (): Promise<void> => {
    if (waiting.signal.aborted) return;
    waiting.abort();
    const { hydrate } = await load(scripts);
    await hydrate(definition, options, document.getElementById("redoc"));
  };
  if (location.hash.startsWith("#/")) void start();
  // Fetched when nothing else is left to load, and run by the first interaction.
  if (location.protocol !== "file:") addEventListener("load", () => setTimeout(() => preload(scripts.module)), { once: true });
  for (const name of interactions) addEventListener(name, () => void start(), { passive: true, signal: waiting.signal });
}

function preload(module: string): void {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = module;
  document.head.append(link);
}

/** Browsers load no modules from a file: URL. */
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
