/** Options of a build of the site. */
import { info } from "@chain-query/openapi/operations";

export interface SiteOptions {
  /** Address of the published site, with a trailing slash; for canonical links, cards and lists. */
  siteUrl: string;
  /** Builds the copy that is kept of a version: it links to the latest one and asks search engines not to index it. */
  archive: boolean;
  /** The versions below v/ of the published site. */
  versions: readonly string[];
  /** The folder of the guides. */
  guides: URL;
}

/** Address of the published site, unless a flag or SITE_URL names another. */
export const defaultSiteUrl: string = info.docsUrl;

/** Options without flags. */
export const defaultOptions: SiteOptions = {
  siteUrl: defaultSiteUrl,
  archive: false,
  versions: [],
  guides: new URL("../../guides/", import.meta.url),
};

/** The file with the service that the site is configured with; the playground selects it. */
export const servicePath = "playground/service.json";
