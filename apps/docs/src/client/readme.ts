/** Divides the README of the client into pages, by its headings. */
import GithubSlugger from "github-slugger";

/** A page made from a part of the README. */
interface ReadmePage {
  /** Path below the site's root. */
  path: string;
  /** Heading of the sidebar. */
  section: string;
  /** Markdown that begins with a heading of level 1. */
  text: string;
}

/** The pages, and where the headings of the README are. */
interface DividedReadme {
  pages: ReadmePage[];
  /** Path and fragment on the site by the fragment in the README, such as "options". */
  places: ReadonlyMap<string, string>;
}

interface Part {
  heading: string;
  /** The fragment in the README, which is unique. */
  slug: string;
  /** The text below the heading, up to the next one. */
  intro: string;
  parts: Part[];
  /** In characters, with all parts. */
  length: number;
}

/** In characters. Longer sections get a page for each of their subsections. */
const longestSection = 5_000;

/**
 * Makes a page of the text before the first heading of level 2, and of each section of level 2. The subsections of a long section are
 * pages, which the first page lists.
 */
export function divideReadme(markdown: string, root: string): DividedReadme {
  const slugger = new GithubSlugger();
  // The API reference has this path.
  slugger.slug("api");
  const [top] = partsOf(markdown, 1, slugger);
  if (top === undefined) throw new Error("expected a README with a heading of level 1");
  const places = new Map([[top.slug, root]]);
  const pageOf = (part: Part, section: string): ReadmePage => {
    const path = `${root}${part.slug}/`;
    places.set(part.slug, path);
    for (const below of descendants(part)) places.set(below.slug, `${path}#${below.slug}`);
    return { path, section, text: textOf(part, 1) };
  };
  const isLong = ({ length, parts }: Part): boolean => length > longestSection && parts.length > 1;
  const short = top.parts.filter((part) => !isLong(part)).map((part) => pageOf(part, "Client"));
  const long = top.parts.filter(isLong).map((part) => {
    places.set(part.slug, `${root}#${part.slug}`);
    return { part, pages: part.parts.map((below) => pageOf(below, part.heading)) };
  });
  const lists = long.map(({ part }) => {
    const links = part.parts.map(({ heading, slug }) => `- [${heading}](#${slug})`);
    return `## ${part.heading}\n\n${part.intro.trim()}\n\n${links.join("\n")}\n`;
  });
  const text = [`# ${top.heading}\n${top.intro}`, ...lists].join("\n");
  return {
    pages: [{ path: root, section: "Client", text }, ...long.flatMap(({ pages }) => pages), ...short],
    places,
  };
}

/** The parts of a text with headings of a level. */
function partsOf(markdown: string, level: number, slugger: GithubSlugger): Part[] {
  return pieces(markdown, level)
    .slice(1)
    .map((piece) => {
      const [first = "", ...rest] = piece.split("\n");
      const heading = first.replace(/^#+ /, "");
      const slug = slugger.slug(heading.replaceAll("`", ""));
      const body = rest.join("\n");
      const [intro = ""] = pieces(body, level + 1);
      return { heading, slug, intro, parts: partsOf(body, level + 1, slugger), length: body.length };
    });
}

/** The text before the first heading of a level, then one piece for each. Code is not searched for headings. */
function pieces(markdown: string, level: number): string[] {
  const found: string[][] = [[]];
  let inCode = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) inCode = !inCode;
    if (!inCode && line.startsWith(`${"#".repeat(level)} `)) found.push([]);
    found.at(-1)?.push(line);
  }
  return found.map((lines) => lines.join("\n"));
}

/** The text of a part, with its heading at a level. */
function textOf({ heading, intro, parts }: Part, level: number): string {
  return [`${"#".repeat(level)} ${heading}\n${intro}`, ...parts.map((part) => textOf(part, level + 1))].join("\n");
}

function descendants({ parts }: Part): Part[] {
  return parts.flatMap((part) => [part, ...descendants(part)]);
}
