/** Renders Markdown: headings with ids, highlighted code, inline drawings and resolved links. */
import GithubSlugger from "github-slugger";
import createMarkdownIt, { type MarkdownIt, type Renderer, type Token } from "markdown-it";
import { escapeHtml, html, raw } from "../site/html.ts";
import { type Heading, type Problem, relativeLink } from "../site/page.ts";
import { codeBlock, renderDrawing } from "./figures.ts";
import type { FoundLink, Target } from "./links.ts";

/** A Markdown text with the data to resolve its links and drawings. */
interface MarkdownSource {
  text: string;
  /** File name in messages. */
  file: string;
  /** Folder of the drawings. */
  folder: URL;
  /** Path of the page. */
  path: string;
  /** Resolves a link. */
  target: (href: string) => Target;
  /** Ids of headings that are not derived from their text. */
  idOf?: (heading: string) => string | undefined;
}

/** The text below a heading, for the search. The title of the page has no id. */
interface RenderedSection {
  id: string | undefined;
  heading: string;
  text: string;
}

/** The HTML of a source, and its parts for outline, search and checks. */
export interface Rendered {
  /** The heading of level 1. */
  title: string;
  /** The text of the first paragraph. */
  lead: string;
  html: string;
  headings: Heading[];
  sections: RenderedSection[];
  links: FoundLink[];
  problems: Problem[];
}

interface State extends Omit<Rendered, "html"> {
  source: MarkdownSource;
}

/** Renders a source and collects all its problems. */
export function renderMarkdown(source: MarkdownSource): Rendered {
  const state: State = { source, title: "", lead: "", headings: [], sections: [], links: [], problems: [] };
  const markdown = createMarkdownIt({ html: false, typographer: false });
  markdown.use(withCallouts);
  const tokens = markdown.parse(source.text, {});
  const slugger = new GithubSlugger();
  let line = 1;
  tokens.forEach((token, index) => {
    if (token.map) line = token.map[0] + 1;
    if (token.type === "inline") readInline(token, line, state);
    if (token.type === "heading_open") readHeading(token, tokens[index + 1], slugger, state);
    else if (tokens[index - 1]?.type !== "heading_open") readText(token, state);
    if (token.type === "paragraph_open" && token.level === 0) state.lead ||= textOf(tokens[index + 1]);
    if (tokens[index - 1]?.type === "paragraph_open" && token.children?.every(({ type }) => type === "image")) {
      // HTML does not allow a figure in a paragraph.
      for (const paragraph of [tokens[index - 1], tokens[index + 1]]) if (paragraph) paragraph.hidden = true;
    }
  });
  if (state.title === "") state.problems.push({ file: source.file, line: 1, message: "the page has no heading of level 1" });
  Object.assign(markdown.renderer.rules, rules(source, state));
  return { ...state, html: markdown.renderer.render(tokens, markdown.options, {}) };
}

/** Resolves the links of one block. */
function readInline(token: Token, firstLine: number, { source, links, problems }: State): void {
  let line = firstLine;
  for (const child of token.children ?? []) {
    if (child.type === "softbreak" || child.type === "hardbreak") line++;
    if (child.type !== "link_open") continue;
    const href = String(child.attrGet("href"));
    const target = source.target(href);
    if ("problem" in target) problems.push({ file: source.file, line, message: target.problem });
    if ("path" in target) {
      links.push({ href, path: target.path, line });
      child.attrSet("href", relativeLink(source.path, target.path));
    }
  }
}

function readHeading(open: Token, inline: Token | undefined, slugger: GithubSlugger, state: State): void {
  const text = textOf(inline);
  const level = Number(open.tag.slice(1));
  const id = state.source.idOf?.(text) ?? slugger.slug(text);
  open.attrSet("id", id);
  if (level === 1) state.title = text;
  state.headings.push({ id, text, level });
  state.sections.push({ id: level === 1 ? undefined : id, heading: text, text: "" });
}

/** Adds the text of a block to its section. */
function readText(token: Token, { sections }: State): void {
  const text = token.type === "fence" ? token.content : token.type === "inline" ? textOf(token) : "";
  const section = sections.at(-1);
  if (section && text !== "") section.text += ` ${text.replaceAll(/\s+/g, " ")}`;
}

/** The text of a block without markup. */
function textOf(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .map(({ type, content }) => (type === "softbreak" ? " " : type === "image" ? "" : content))
    .join("");
}

function rules(source: MarkdownSource, state: State): Partial<Renderer["rules"]> {
  return {
    fence: (tokens, index) => {
      const { content, info } = tokens[index] ?? { content: "", info: "" };
      const previous = tokens[index - 1];
      const printed = /^(text|json)$/.test(info) && previous?.type === "fence" && /^(ts|sh)$/.test(previous.info);
      return `${codeBlock(content, info, printed).html}\n`;
    },
    heading_close: (tokens, index) => {
      const open = tokens[index - 2];
      const id = open?.attrGet("id") ?? "";
      const anchor = html` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`.html;
      return `${open?.tag === "h1" ? "" : anchor}</${open?.tag}>\n`;
    },
    code_inline: (tokens, index) => {
      const text = tokens[index]?.content ?? "";
      // Short names do not break over lines.
      return html`<code${text.length > 24 && raw(' class="long"')}>${text}</code>`.html;
    },
    table_open: () => '<div class="table" tabindex="0"><table>\n',
    table_close: () => "</table></div>\n",
    image: (tokens, index) => {
      const token = tokens[index];
      try {
        return renderDrawing(new URL(String(token?.attrGet("src")), source.folder), token?.content ?? "");
      } catch (error) {
        const message = `${token?.attrGet("src")}: ${error instanceof Error ? error.message : error}`;
        state.problems.push({ file: source.file, line: lineOf(source.text, `](${token?.attrGet("src")})`), message });
        return escapeHtml(message);
      }
    },
  };
}

function lineOf(text: string, fragment: string): number {
  return text.slice(0, Math.max(0, text.indexOf(fragment))).split("\n").length;
}

const callouts = ["NOTE", "TIP", "WARNING"];

/** Renders `> [!NOTE]` as a note beside the text, as GitHub does. */
function withCallouts(markdown: MarkdownIt): void {
  markdown.core.ruler.after("inline", "callouts", ({ tokens }) => {
    tokens.forEach((open, index) => {
      const children = tokens[index + 2]?.children;
      const kind = /^\[!([A-Z]+)\]$/.exec(children?.[0]?.content ?? "")?.[1] ?? "";
      if (open.type !== "blockquote_open" || !children || !callouts.includes(kind)) return;
      open.tag = "div";
      open.attrSet("class", `callout ${kind.toLowerCase()}`);
      open.attrSet("role", "note");
      const close = tokens.slice(index).find(({ type, level }) => type === "blockquote_close" && level === open.level);
      if (close) close.tag = open.tag;
      // Removes the marker and its line break.
      children.splice(0, 2);
    });
  });
}
