/** A page of the site, before the chrome is put around it. */
import type { PolicyNeeds } from "./content-policy.ts";
import type { Html } from "./html.ts";

/** A heading that a reader can jump to. */
export interface Heading {
  id: string;
  text: string;
  level: number;
}

export interface Page {
  /** Below the site's root: "" is the landing page, "guides/keys/" a page in a folder of its own. */
  path: string;
  title: string;
  /** One sentence for search engines and cards. */
  description: string;
  /** What stands in `main`. */
  main: Html;
  /** The page as Markdown, for machines; its links lead to other such faces. A page without one is left out of all lists. */
  markdown: string | undefined;
  headings: readonly Heading[];
  /** Which form the chrome takes around it. */
  layout: "landing" | "article" | "reference";
  /** What has to come before all addresses in the head. */
  base?: Html;
  /** What else goes into the head. */
  head?: Html;
  /** What its scripts need beyond the site itself. */
  needs?: PolicyNeeds;
}

/** A file that lies beside the pages. */
export interface SiteContent {
  /** Below the site's root. */
  path: string;
  content: string | Buffer;
}

/** What one part of the site brings along. */
export interface SitePart {
  pages: Page[];
  files: SiteContent[];
}

/** The site as every page sees it. */
export interface SiteContext {
  siteUrl: string;
  archive: boolean;
  /** Version of the contract. */
  version: string;
  /** Paths of the files that all pages load, by what they are. */
  assets: { style: string; script: string; search: string };
  /** The pages of the sidebar, in the order of reading. */
  sections: readonly Section[];
  /** Paths of all pages. */
  paths: ReadonlySet<string>;
}

/** A group of the sidebar. */
export interface Section {
  title: string;
  entries: readonly { path: string; title: string }[];
}
