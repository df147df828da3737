import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readPolicy, withPolicy } from "../src/site/content-policy.ts";

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
