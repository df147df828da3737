/**
 * The status page: one HTML document with inlined style and script, and a CSP that allows nothing else. It polls, which works with any
 * number of callers and behind any proxy, and keeps no connection open during a deployment.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The page and its response headers. */
interface StatusPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const assets = new URL("../../assets/status/", import.meta.url);

/** Assembles the page. @param hasDocs - Whether to link to /docs/. */
export function statusPage(hasDocs: boolean): StatusPage {
  const [style, script] = [asset("page.css"), asset("page.js")];
  const parts: Readonly<Record<string, string>> = {
    '<link rel="stylesheet" href="page.css" />': `<style>${style}</style>`,
    '<script src="page.js"></script>': `<script>${script}</script>`,
    "<!-- docs -->": hasDocs ? '<li><a href="docs/">Docs</a></li>' : "",
  };
  const html = Object.entries(parts).reduce((page, [marker, part]) => page.replace(marker, () => part), asset("page.html"));
  const policy = [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    `script-src ${sourceOf(script)}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    html,
    headers: {
      "content-security-policy": policy.join("; "),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  };
}

function asset(name: string): string {
  return readFileSync(new URL(name, assets), "utf8");
}

function sourceOf(text: string): string {
  return `'sha256-${hash("sha256", text, "base64")}'`;
}
