/** The flag `--site-url` of `build` and `publish`, and the type of its value. */
import type { ValueType } from "@chain-query/command-line";
import { defaultSiteUrl } from "./site/options.ts";

/** The address of a published site; adds a trailing slash. */
export const siteUrl: ValueType<string> = {
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
