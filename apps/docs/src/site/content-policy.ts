/** Adds a content security policy (CSP) to a page. It allows files of the site, and inline scripts and styles by their hashes. */
import { createHash } from "node:crypto";

/** Further permissions of a page. */
export interface PolicyNeeds {
  /** Sources that its script may request. */
  connect?: readonly string[];
  /** Sources of fonts. */
  font?: readonly string[];
  /** Allows style attributes and elements that its script writes. */
  inlineStyles?: boolean;
}

/** Adds the policy to the head of a document, before everything that it governs. */
export function withPolicy(document: string, needs: PolicyNeeds = {}): string {
  const meta = `<meta http-equiv="content-security-policy" content="${buildPolicy(document, needs)}" />`;
  const charset = '<meta charset="utf-8" />';
  if (!document.includes(charset)) throw new Error(`expected a document with ${charset}`);
  return document.replace(charset, () => `${charset}\n    ${meta}`);
}

/** Reads the policy of a document. */
export function readPolicy(document: string): string | undefined {
  return /<meta http-equiv="content-security-policy" content="([^"]*)"/.exec(document)?.[1];
}

function buildPolicy(document: string, { connect = [], font = [], inlineStyles = false }: PolicyNeeds): string {
  const scripts = [...document.matchAll(/<script(?![^>]*\b(?:src|type)=)[^>]*>([\s\S]*?)<\/script>/g)];
  const directives: Record<string, string[]> = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...hashes(scripts)],
    "style-src": ["'self'", ...(inlineStyles ? ["'unsafe-inline'"] : styleHashes(document))],
    "img-src": ["'self'", "data:"],
    // For Lighthouse, which requests robots.txt from the page.
    "connect-src": ["'self'", ...connect],
    ...(font.length > 0 && { "font-src": [...font] }),
    "base-uri": [document.includes("<base ") ? "'self'" : "'none'"],
    "form-action": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${[...new Set(sources)].join(" ")}`)
    .join("; ");
}

function styleHashes(document: string): string[] {
  const elements = [...document.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/g)];
  const visible = document.replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/g, "");
  const attributes = hashes([...visible.matchAll(/\sstyle="([^"]*)"/g)]);
  return [...hashes(elements), ...(attributes.length > 0 ? ["'unsafe-hashes'", ...attributes] : [])];
}

function hashes(matches: RegExpExecArray[]): string[] {
  return matches.map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
}
