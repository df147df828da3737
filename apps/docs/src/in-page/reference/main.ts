/** Makes the prerendered reference interactive: starts Redoc at the first interaction, and opens the playground in a dialog. */
import { configuredUrl, shownBaseUrl } from "../configured-service.ts";
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
startRedoc({ module, classic }, definitionForService(), options);

/** The definition, with the base URL of the service that the site is configured with in its samples. */
async function definitionForService(): Promise<object> {
  const url = await configuredUrl();
  if (url === undefined) return definition;
  return JSON.parse(JSON.stringify(definition).replaceAll(shownBaseUrl, url));
}
