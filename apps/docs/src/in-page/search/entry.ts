/** What the search finds: a part of a page under one heading, or an operation. */
export interface SearchEntry {
  /** Path below the site's root, with the place on the page. */
  path: string;
  /** The heading, or the name of the operation. */
  title: string;
  /** The page that it is on. */
  page: string;
  text: string;
}
