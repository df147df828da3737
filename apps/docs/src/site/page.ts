/** Pages and files of the site, relative links between them, and problems in their sources. */
import { UserError } from "@chain-query/command-line";
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
  /** Section of the sidebar, for pages that are not in the order of `sidebar.ts`. */
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
  /** The released versions, newest first. */
  versions: readonly string[];
  archive: boolean;
  /** Version of the contract. */
  version: string;
  /** Paths of the files that all pages load. */
  assets: { style: string; script: string; search: string; index: string };
  /** The sidebar. */
  sections: readonly Section[];
}

/** A group of the sidebar. */
export interface Section {
  title: string;
  area: string;
  entries: readonly { path: string; title: string }[];
}

/** Path of the overview, and of the page with the whole contract in Redoc. */
export const referencePath = "reference/";
export const wholeContractPath = "reference/all/";

/** Path of the page of an operation. */
export function operationPath(id: string): string {
  return `${referencePath}${id}/`;
}

/**
 * The relative link from a page to another page or a file.
 *
 * @param from path of the page below the site's root; "" is the landing page, "guides/keys/" a page in a folder
 * @param to path of the target, with the fragment
 * @example
 * relativeLink("guides/keys/", "reference/lookupBlock/"); // "../../reference/lookupBlock/"
 */
export function relativeLink(from: string, to: string): string {
  const up = "../".repeat(from.split("/").length - 1);
  return `${up}${to}` || "./";
}

/** Path of the Markdown version of a page. */
export function markdownPath(path: string): string {
  return path === "" ? "index.md" : `${path.replace(/\/$/, "")}.md`;
}

export interface Problem {
  /** Path below this package. */
  file: string;
  /** Counted from 1. */
  line: number;
  message: string;
}

/** Throws a `UserError` with a line for each problem, if there are any. */
export function throwProblems(problems: readonly Problem[]): void {
  if (problems.length > 0)
    throw new UserError(problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join("\n"));
}
