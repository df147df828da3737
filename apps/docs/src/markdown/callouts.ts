/** Notes beside the text, written as GitHub writes them: a quotation that begins with `[!NOTE]`. */
import type { MarkdownIt } from "markdown-it";

const titles: Record<string, string> = { NOTE: "Note", TIP: "Tip", WARNING: "Mind" };

/** Teaches markdown-it to draw them. */
export function withCallouts(markdown: MarkdownIt): void {
  markdown.core.ruler.after("inline", "callouts", ({ tokens }) => {
    tokens.forEach((open, index) => {
      const children = tokens[index + 2]?.children;
      if (open.type !== "blockquote_open" || !children) return;
      const kind = /^\[!([A-Z]+)\]$/.exec(children[0]?.content ?? "")?.[1] ?? "";
      const title = titles[kind];
      if (title === undefined) return;
      open.tag = "aside";
      open.attrSet("class", `callout ${kind.toLowerCase()}`);
      open.attrSet("aria-label", title);
      const close = tokens.slice(index).find(({ type, level }) => type === "blockquote_close" && level === open.level);
      if (close) close.tag = "aside";
      // The mark and the end of its line.
      children.splice(0, 2);
    });
  });
}
