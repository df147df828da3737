/** The script of the reference besides Redoc's. */
import { fileURLToPath } from "node:url";
import { hashedAsset } from "./assets.ts";
import { bundled } from "./bundle.ts";
import type { SiteContent } from "./page.ts";

/** The element that holds the routes of the operations by their ids. */
export const routesId = "reference-routes";

/** Bundles the script. */
export async function referenceInPage(): Promise<SiteContent> {
  const entry = fileURLToPath(new URL("in-page/reference/main.ts", import.meta.url));
  return hashedAsset("reference", "js", await bundled({ entryPoints: [entry] }));
}
