/** Types of pages and files of the site. */
import type { PolicyNeeds } from "./content-policy.ts";
import type { Html } from "./html.ts";

/** A heading of a page. */
export interface Heading {
  id: string;
  text: string;
  level: number;
}

/** A page, without header and footer. */
export interface Page {
  /** Path below the site's root: "" is the landing page, "guides/keys/" another page. */
  path: string;
  title: string;
  /** One sentence for search engines and cards. */
  description: string;
  main: Html;
  /** The Markdown version. Pages without one are left out of all lists. */
  markdown: string | undefined;
  headings: readonly Heading[];
  /** Selects the elements around the content. */
  layout: "landing" | "article" | "reference";
  /** Pages of an area have a sidebar of their own; default: the guides. */
  area?: string;
  /** Section of the sidebar, for pages that are not in the order of `reading-order.ts`. */
  section?: string;
  /** The file to edit, below the repository. */
  source?: string;
  /** Elements of the head before all links. */
  base?: Html;
  /** Further elements of the head. */
  head?: Html;
  /** Further permissions of its content security policy. */
  needs?: PolicyNeeds;
}

/** A file of the site. */
export interface SiteFile {
  /** Path below the site's root. */
  path: string;
  content: string | Buffer;
}

/** Pages and files of one part of the site. */
export interface SitePart {
  pages: Page[];
  files: SiteFile[];
}

/** Data of the site, for all pages. */
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
  area: string;
  entries: readonly { path: string; title: string }[];
}
