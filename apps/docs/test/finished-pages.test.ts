import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sidebarSections } from "../src/pages/sidebar.ts";
import { readPolicy, withPolicy } from "../src/site/content-policy.ts";
import { brokenReferences, collectLinkTargets } from "../src/site/link-check.ts";

const head = '<head>\n    <meta charset="utf-8" />';
const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policyOf = (body: string, needs = {}): Record<string, string> => {
  const policy = readPolicy(withPolicy(`${head}${body}`, needs)) ?? "";
  return Object.fromEntries(policy.split("; ").map((part) => [part.split(" ")[0], part.split(" ").slice(1).join(" ")]));
};

describe("withPolicy", () => {
  test("comes before everything that it governs", () => {
    expect(withPolicy(`${head}<script>a()</script>`)).toMatch(
      /charset="utf-8" \/>\s*<meta http-equiv="content-security-policy"/,
    );
  });

  test("allows only files of the site", () => {
    expect(policyOf("<p>text</p>")).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "img-src": "'self' data:",
      "connect-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
    });
  });

  test("allows the inline scripts and styles of the page by their hashes", () => {
    const policy = policyOf(
      '<script>a()</script><style>p{}</style><script type="application/json">{}</script><p style="top:0">',
    );
    expect(policy["script-src"]).toBe(`'self' ${hash("a()")}`);
    expect(policy["style-src"]).toBe(`'self' ${hash("p{}")} 'unsafe-hashes' ${hash("top:0")}`);
  });

  test("ignores style attributes in the text of a script", () => {
    expect(policyOf("<script>a('<p style=\"top:0\">')</script>")["style-src"]).toBe("'self'");
  });

  test("adds the needs of a page", () => {
    const policy = policyOf("", { connect: ["http:", "https:"], worker: ["'self'"], font: ["data:"], inlineStyles: true });
    expect(policy).toMatchObject({
      "connect-src": "'self' http: https:",
      "worker-src": "'self'",
      "font-src": "data:",
      "style-src": "'self' 'unsafe-inline'",
    });
  });

  test("allows a base element if the page has one", () => {
    expect(policyOf('<base href="/" />')["base-uri"]).toBe("'self'");
  });

  test("refuses a document without the charset element", () => {
    expect(() => withPolicy("<head></head>")).toThrow('expected a document with <meta charset="utf-8" />');
  });
});

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
  );
  const broken = (html: string): string[] =>
    brokenReferences("a/", html, places).map(({ file, line, message: text }) => `${file}:${line}: ${text}`);

  test("accepts existing targets and other sites", () => {
    expect(broken(page)).toEqual([]);
    expect(broken('<a href="../openapi.yaml"><img src="../b.md"><a href="#here">')).toEqual([]);
    expect(broken('<a href="../b/?operation=x#there"><a href="../v/1.0.0/"><a href="data:,x">')).toEqual([]);
  });

  test.each([
    ['\n<a href="../c/">', "a/index.html:2: the link to ../c/ is broken: there is no page or file c/"],
    ['<a href="#nowhere">', "a/index.html:1: the link to #nowhere is broken: the page a/ has no place #nowhere"],
    ['<img src="x.png">', "a/index.html:1: the link to x.png is broken: there is no page or file a/x.png"],
    ['<a href="../../x">', "a/index.html:1: the link to ../../x is broken: there is no page or file above the site's root: /x"],
    [
      '<a href="../reference/#/blocks/x">',
      "a/index.html:1: the link to ../reference/#/blocks/x is broken: the page reference/ has no place #/blocks/x",
    ],
    [
      '<script>\n"<a href=\'x\'>"\n</script>\n<a href="x">',
      "a/index.html:4: the link to x is broken: there is no page or file a/x",
    ],
  ])("refuses %j", (html, message) => {
    expect(broken(html)).toEqual([message]);
  });
});

describe("sidebarSections", () => {
  test("refuses a page without a place, and a place without a page", () => {
    const page = { title: "T", description: "", main: { html: "" }, markdown: "", headings: [], layout: "article" } as const;
    expect(() => sidebarSections([{ ...page, path: "guides/new/" }])).toThrow("has no place for guides/new/");
    expect(() => sidebarSections([])).toThrow("names guides/quick-start/, which is not a page");
  });
});
