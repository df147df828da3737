/** A search result: a section of a page, or an operation. */
export interface SearchEntry {
  /** Below the site's root, with the fragment. */
  path: string;
  /** The heading, or the id of the operation. */
  title: string;
  /** Title of the page. */
  page: string;
  text: string;
}
