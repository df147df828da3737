/** The reference inside the chrome of the site. */
import type { Contract } from "../contract.ts";
import { html, raw } from "../layout/html.ts";
import type { Page } from "../page.ts";
import type { Reference } from "../reference-page.ts";

/** What the page has besides what Redoc rendered. */
export interface ReferenceNeeds {
  markdown: string;
  /** The styles that Redoc's script writes at elements. */
  styles: readonly string[];
}

/** Makes the page of the rendered reference. */
export function referencePage(contract: Contract, { head, body }: Reference, { markdown, styles }: ReferenceNeeds): Page {
  return {
    path: "reference/",
    title: "API reference",
    description: `${contract.info.summary}: every operation, its inputs, answers and errors.`,
    layout: "reference",
    headings: [],
    markdown,
    head: raw(head),
    // Redoc's style sheet holds its icons as a font, and the playground opens in a frame.
    needs: { font: ["data:"], frame: ["'self'"], styles },
    main: html`${raw(body)}`,
  };
}
