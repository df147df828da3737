/** All pages, and all operations of the reference. */
import { operations } from "@chain-query/openapi/operations";
import { readSite } from "./built-site.ts";
import { checkPages, referencePaths } from "./every-page.ts";

const { documents } = await readSite();
checkPages([...documents.map((path) => path.replace(/index\.html$/, "")).sort(), ...referencePaths(operations)]);
