import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { sharedFolder } from "@chain-query/testing/folders";
import { beforeAll, describe, expect, test } from "vitest";
import { highlightCode } from "../src/markdown/figures.ts";
import { type LinkNames, markdownVersion, targetOf } from "../src/markdown/links.ts";
import { type Rendered, renderMarkdown } from "../src/markdown/render.ts";

const names: LinkNames = {
  decisions: ["D-01", "D-02"],
  guides: { "keys.md": "guides/keys/", "errors.md": "guides/errors/" },
  exports: { createClient: "client/api/#createclient" },
};
const path = "guides/keys/";

const folder = pathToFileURL(`${sharedFolder()}/`);
beforeAll(async () => {
  await writeFile(new URL("good.svg", folder), '<svg viewBox="0 0 1 1"><title>A</title><desc>B\n    c.</desc></svg>');
  await writeFile(new URL("mute.svg", folder), '<svg viewBox="0 0 1 1"></svg>');
});

const render = (text: string): Rendered =>
  renderMarkdown({ text, file: "guides/keys.md", folder, path, target: (href) => targetOf(href, path, names) });

describe("renderMarkdown", () => {
  test("reads title, lead and headings", () => {
    const { title, lead, headings, html } = render("# Keys `a`\n\nWhat\nthey are.\n\n## One key\n\n## One key\n");
    expect({ title, lead }).toEqual({ title: "Keys a", lead: "What they are." });
    expect(headings.map(({ id }) => id)).toEqual(["keys-a", "one-key", "one-key-1"]);
    expect(html).toContain('<h2 id="one-key-1">One key <a class="anchor" href="#one-key-1"');
  });

  test("returns the text of each section", () => {
    const { sections } = render("# T\n\nOne\n`two`.\n\n## A\n\n```ts\na();\n```\n\n| b |\n| - |\n| c |\n");
    expect(sections).toEqual([
      { id: undefined, heading: "T", text: " One two." },
      { id: "a", heading: "A", text: " a();  b c" },
    ]);
  });

  test("resolves links relative to the page", () => {
    const { html, links, problems } = render(
      "# T\n\n[a](operation:lookupBlock) [b](decision:D-02)\n[c](errors.md#x) [d](site:openapi.yaml) [e](#t) [f](https://a.test)\n",
    );
    expect(problems).toEqual([]);
    expect([...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      "../../reference/lookupBlock/",
      "../../decisions/#d-02",
      "../../guides/errors/#x",
      "../../openapi.yaml",
      "../../guides/keys/#t",
      "https://a.test",
    ]);
    expect(links.map(({ line }) => line)).toEqual([3, 3, 4, 4, 4]);
  });

  test("reports all problems with file and line", () => {
    const text =
      "# T\n\nText\n[a](operation:findBlock)\n\n| t |\n| - |\n| [b](decision:D-99) |\n\n[c](none.md)\n\n![d](none.svg)\n\n![e](mute.svg)\n";
    const { problems } = render(text);
    render(text);
    expect(problems.map(({ file, line, message }) => `${file}:${line}: ${message}`)).toEqual([
      expect.stringMatching(/^guides\/keys\.md:4: the contract has no operation findBlock; it has getAddressInformation, /),
      "guides/keys.md:8: there is no decision D-99; they go from D-01 to D-02",
      "guides/keys.md:10: none.md is not a guide; expected one of keys.md, errors.md",
      expect.stringMatching(/^guides\/keys\.md:12: none\.svg: ENOENT/),
      "guides/keys.md:14: mute.svg: expected a drawing with title and desc",
    ]);
  });

  test("requires a heading of level 1", () => {
    expect(render("Text\n").problems).toEqual([
      { file: "guides/keys.md", line: 1, message: "the page has no heading of level 1" },
    ]);
  });

  test("marks the output of a program", () => {
    const { html } = render("# T\n\n```ts\nconst a = 1;\n```\n\n```text\n<1>\n```\n\nAnd\n\n```text\n2\n```\n");
    expect(html).toContain('<span class="c-keyword">const</span>');
    expect(html).toContain(
      '<figure class="code printed wraps"><figcaption>Output</figcaption><pre tabindex="0"><code>&lt;1&gt;</code>',
    );
    expect(html.match(/printed/g)).toHaveLength(1);
  });

  test("inlines a drawing with title and description", () => {
    const { html } = render("# T\n\n![See](good.svg)\n");
    expect(html).toContain('<svg role="img" aria-labelledby="good-title" aria-describedby="good-desc" viewBox="0 0 1 1">');
    expect(html).toContain("<figcaption>See</figcaption>");
    expect(html).not.toContain("<p><figure");
  });

  test("renders notes", () => {
    const { html } = render("# T\n\n> [!WARNING]\n> Take care.\n\n> A quotation.\n");
    expect(html).toMatch(/<div class="callout warning" role="note">\s*<p>Take care\.<\/p>\s*<\/div>/);
    expect(html).toMatch(/<blockquote>\s*<p>A quotation/);
  });

  test("escapes HTML", () => {
    expect(render("# T\n\n<script>a()</script> `<b>`\n").html).toContain(
      "&lt;script&gt;a()&lt;/script&gt; <code>&lt;b&gt;</code>",
    );
  });
});

describe("highlightCode", () => {
  test("does not highlight unknown languages", () => {
    expect(highlightCode("a < b", "text")).toBe("a &lt; b");
  });

  test("keeps the text and writes no style attribute", () => {
    const code = 'const a: string = await f({ b: 1n }); // "x" & <y>\n\ncurl -s `z`';
    const html = highlightCode(code, "ts");
    expect(html).not.toContain("style=");
    expect(
      html
        .replaceAll(/<[^>]+>/g, "")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&"),
    ).toBe(code);
  });
});

test("markdownVersion links to other Markdown versions and describes drawings", () => {
  const text =
    "# T\n\n[a](operation:lookupBlock) [b](errors.md#x)\n\n![See](good.svg)\n\n```ts\n// [a](operation:lookupBlock)\n```\n";
  expect(markdownVersion(text, path, render(text).links, folder)).toBe(
    "# T\n\n[a](../reference/lookupBlock.md) [b](../guides/errors.md#x)\n\n> Drawing: See. B c.\n\n```ts\n// [a](operation:lookupBlock)\n```\n",
  );
});
