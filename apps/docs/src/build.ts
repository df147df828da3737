/** Writes the site into dist. */
import { buildSite } from "./site.ts";

await buildSite(new URL("../dist/", import.meta.url));
