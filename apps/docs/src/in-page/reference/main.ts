/** Makes the prerendered reference interactive: starts Redoc at the first interaction, and opens the playground in a dialog. */
import { addAccessibleNames } from "./accessible-names.ts";
import { followRoutes, type Routes } from "./routes.ts";
import { startRedoc } from "./start-redoc.ts";
import { openPlaygroundInDialog } from "./try-it.ts";

const element = document.getElementById("reference-data");
const { definition, options, routes }: { definition: object; options: object; routes: Routes } = JSON.parse(
  element?.textContent ?? "{}",
);
const { module = "", classic = "" } = element?.dataset ?? {};

openPlaygroundInDialog();
followRoutes(routes);
addAccessibleNames();
startRedoc({ module, classic }, definition, options);
