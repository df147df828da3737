/** What the reference does besides Redoc; it runs before Redoc's script. */
import { deepLinks } from "./deep-links.ts";
import { tryIt } from "./try-it.ts";

deepLinks(JSON.parse(document.getElementById("reference-routes")?.textContent ?? "{}"));
tryIt();
