/** What one build of the site can differ in from another. */

export interface SiteOptions {
  /** Where the site will be published, with a trailing slash. Only canonical addresses and the like depend on it. */
  siteUrl: string;
  /** Builds the copy of a version that is kept: it points to the latest, and search engines leave it out. */
  archive: boolean;
  /** The versions that lie below v/ where the site is published. */
  versions: readonly string[];
  /** Where the guides lie. */
  guides: URL;
}

/** Where the site is published unless the environment or a flag says otherwise. */
export const defaultSiteUrl = "https://chain-query.github.io/chain-query/";

/** What a plain build takes. */
export const defaultOptions: SiteOptions = {
  siteUrl: defaultSiteUrl,
  archive: false,
  versions: [],
  guides: new URL("../../guides/", import.meta.url),
};

/** The file that names a service for the playground; a server of the site may put its own address into it. */
export const servicePath = "playground/service.json";
