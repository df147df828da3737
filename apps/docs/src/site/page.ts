/** A page without header and footer. */
import type { PolicyNeeds } from "./content-policy.ts";
import type { Html } from "./html.ts";

/** A heading of a page. */
export interface Heading {
  id: string;
  text: string;
  level: number;
}

export interface Page {
  /** Below the site's root: "" is the landing page, "guides/keys/" another one. */
  path: string;
  title: string;
  /** One sentence for search engines and cards. */
  description: string;
  /** The content. */
  main: Html;
  /** The Markdown version. Pages without one are left out of all lists. */
  markdown: string | undefined;
  headings: readonly Heading[];
  /** What surrounds the content. */
  layout: "landing" | "article" | "reference";
  /** Elements of the head before all links. */
  base?: Html;
  /** Further elements of the head. */
  head?: Html;
  /** What its content security policy allows besides the site. */
  needs?: PolicyNeeds;
}

/** A file of the site. */
export interface SiteContent {
  /** Below the site's root. */
  path: string;
  content: string | Buffer;
}

/** Pages and files of one part of the site. */
export interface SitePart {
  pages: Page[];
  files: SiteContent[];
}

/** What every page needs to know of the site. */
export interface SiteContext {
  siteUrl: string;
  archive: boolean;
  /** Version of the contract. */
  version: string;
  /** Paths of the files that all pages load. */
  assets: { style: string; script: string; search: string };
  /** The sidebar. */
  sections: readonly Section[];
  /** Paths of all pages. */
  paths: ReadonlySet<string>;
}

/** A group of the sidebar. */
export interface Section {
  title: string;
  entries: readonly { path: string; title: string }[];
}
