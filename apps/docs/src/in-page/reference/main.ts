/** Makes the reference interactive: loads Redoc when it is needed, and opens the playground beside an operation. */
import { accessibleNames } from "./accessible-names.ts";
import { followRoutes, type Routes } from "./routes.ts";
import { takeOver } from "./take-over.ts";
import { tryIt } from "./try-it.ts";

const element = document.getElementById("reference-data");
const { definition, options, routes }: { definition: object; options: object; routes: Routes } = JSON.parse(
  element?.textContent ?? "{}",
);
const { module = "", classic = "" } = element?.dataset ?? {};

tryIt();
followRoutes(routes);
accessibleNames();
takeOver({ module, classic }, definition, options);
