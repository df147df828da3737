/** Writes the Markdown version of a page: its source, with links to other Markdown versions and descriptions of drawings. */
import { markdownPath, relativeLink } from "../site/links.ts";
import { describeDrawing } from "./drawing.ts";
import type { FoundLink } from "./render.ts";

/**
 * Rewrites the links and drawings, except in code blocks.
 *
 * @param path path of the page, such as "guides/keys/"
 * @param folder the folder of its drawings
 */
export function markdownVersion(text: string, path: string, links: readonly FoundLink[], folder: URL): string {
  const addresses = new Map(links.map(({ href, path: to }) => [href, markdownLink(path, to)]));
  return text
    .split(/^(```[\s\S]*?^```$)/m)
    .map((block) =>
      block.startsWith("```")
        ? block
        : block
            .replaceAll(/!\[([^\]]*)\]\(([^()\s]+)\)/g, (_, caption: string, name: string) =>
              describeDrawing(new URL(name, folder), caption),
            )
            .replaceAll(/\]\(([^()\s]+)\)/g, (whole, href: string) => {
              const address = addresses.get(href);
              return address === undefined ? whole : `](${address})`;
            }),
    )
    .join("");
}

/**
 * The relative link from one Markdown version to another, or to a file. A route of the reference becomes the heading of its operation.
 *
 * @example
 * markdownLink("guides/keys/", "reference/#/blocks/lookupblock"); // "../reference.md#lookupblock"
 */
export function markdownLink(from: string, to: string): string {
  const [place = "", fragment] = to.split("#");
  const heading = fragment?.split("/").at(-1);
  const file = place === "" || place.endsWith("/") ? markdownPath(place) : place;
  return relativeLink(markdownPath(from), heading ? `${file}#${heading}` : file);
}
