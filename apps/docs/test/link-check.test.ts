/** Checks of links and of the order of the pages. */
import { describe, expect, test } from "vitest";
import { readingOrder } from "../src/pages/reading-order.ts";
import { brokenReferences, collectLinkTargets } from "../src/site/link-check.ts";

describe("brokenReferences", () => {
  const page = '<p id="here"></p>\n<a href="../">up</a> <a href="../b/#there">b</a>\n<a href="https://a.test/none">c</a>';
  const places = collectLinkTargets(
    new Map([
      ["", "<p></p>"],
      ["a/", page],
      ["b/", '<p id="there"></p>'],
      ["reference/", ""],
    ]),
    ["openapi.yaml"],
    ["/blocks/lookupblock"],
  );
  const broken = (html: string): string[] =>
    brokenReferences("a/", html, places).map(({ file, line, message: text }) => `${file}:${line}: ${text}`);

  test("accepts existing targets and other sites", () => {
    expect(broken(page)).toEqual([]);
    expect(
      broken('<a href="../openapi.yaml"><a href="../reference/#/blocks/lookupblock"><img src="../b.md"><a href="#here">'),
    ).toEqual([]);
    expect(broken('<a href="../b/?operation=x#there"><a href="../v/1.0.0/"><a href="data:,x">')).toEqual([]);
  });

  test.each([
    ['\n<a href="../c/">', "a/index.html:2: the link to ../c/ is broken: there is no page or file c/"],
    ['<a href="#nowhere">', "a/index.html:1: the link to #nowhere is broken: the page a/ has no place #nowhere"],
    ['<img src="x.png">', "a/index.html:1: the link to x.png is broken: there is no page or file a/x.png"],
    ['<a href="../../x">', "a/index.html:1: the link to ../../x is broken: there is no page or file above the site's root: /x"],
    [
      '<a href="../reference/#/blocks/x">',
      "a/index.html:1: the link to ../reference/#/blocks/x is broken: the reference has no place #/blocks/x",
    ],
    [
      '<script>\n"<a href=\'x\'>"\n</script>\n<a href="x">',
      "a/index.html:4: the link to x is broken: there is no page or file a/x",
    ],
  ])("refuses %j", (html, message) => {
    expect(broken(html)).toEqual([message]);
  });
});

describe("readingOrder", () => {
  test("refuses a page without a place, and a place without a page", () => {
    const page = { title: "T", description: "", main: { html: "" }, markdown: "", headings: [], layout: "article" } as const;
    expect(() => readingOrder([{ ...page, path: "guides/new/" }])).toThrow("has no place for guides/new/");
    expect(() => readingOrder([])).toThrow("names guides/quick-start/, which is not a page");
  });
});
