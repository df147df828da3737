/** Options of a build of the site, and the addresses of site and repository. */
import { readFileSync } from "node:fs";
import type { ValueType } from "@chain-query/command-line";
import { info } from "@chain-query/openapi/operations";

export interface SiteOptions {
  /** Address of the published site, with a trailing slash; for canonical links, cards and lists. */
  siteUrl: string;
  /** Builds the pages of a version below v/: they link to the latest ones and ask search engines not to index them. */
  archive: boolean;
  /** The released versions, which are below v/ of the published site, newest first. */
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

/** The address of a published site; adds a trailing slash. */
const siteUrl: ValueType<string> = {
  placeholder: "<url>",
  accepted: "an http or https address without query and fragment",
  parse: (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") return undefined;
    return url.href.endsWith("/") ? url.href : `${url.href}/`;
  },
};

export const siteUrlFlag: {
  readonly type: ValueType<string>;
  readonly default: string;
  readonly environment: string;
  readonly help: string;
} = {
  type: siteUrl,
  default: defaultSiteUrl,
  environment: "SITE_URL",
  help: "where the site will be published",
};

const manifest = JSON.parse(readFileSync(new URL(import.meta.resolve("@chain-query/openapi/package.json")), "utf8"));

/** URL of the repository, without a trailing slash. */
export const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, "");

/** URL of the form that edits a file of the repository. */
export function editUrl(path: string): string {
  return `${repository}/edit/main/${path}`;
}
