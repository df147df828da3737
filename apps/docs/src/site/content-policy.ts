/** The content security policy of a page: only what the page itself holds, told by hashes, may run or colour it. */
import { createHash } from "node:crypto";

/** What a page needs beyond the site itself. */
export interface PolicyNeeds {
  /** Where its script may send requests. */
  connect?: readonly string[];
  /** Where its workers may come from. */
  worker?: readonly string[];
  /** Where its fonts may come from. */
  font?: readonly string[];
  /** Which pages it may show in frames. */
  frame?: readonly string[];
  /** Allows style attributes and elements that its script writes. */
  inlineStyles?: boolean;
}

/**
 * Puts the policy of a document into its head, as the first thing that the browser reads there.
 *
 * @example
 * withPolicy(documentOf(page, site));
 */
export function withPolicy(document: string, needs: PolicyNeeds = {}): string {
  const meta = `<meta http-equiv="content-security-policy" content="${policyOf(document, needs)}" />`;
  const charset = '<meta charset="utf-8" />';
  if (!document.includes(charset)) throw new Error(`a document without ${charset}`);
  return document.replace(charset, () => `${charset}\n    ${meta}`);
}

/** Reads the policy of a document, which a server can send as a header as well. */
export function policyIn(document: string): string | undefined {
  return /<meta http-equiv="content-security-policy" content="([^"]*)"/.exec(document)?.[1];
}

function policyOf(
  document: string,
  { connect = [], worker = [], font = [], frame = [], inlineStyles = false }: PolicyNeeds,
): string {
  const scripts = [...document.matchAll(/<script(?![^>]*\b(?:src|type)=)[^>]*>([\s\S]*?)<\/script>/g)];
  const directives: Record<string, string[]> = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...hashes(scripts)],
    "style-src": ["'self'", ...(inlineStyles ? ["'unsafe-inline'"] : styleHashes(document))],
    "img-src": ["'self'", "data:"],
    // The pages ask nothing of the site, but whoever examines one asks it for robots.txt from within.
    "connect-src": ["'self'", ...connect],
    ...(frame.length > 0 && { "frame-src": [...frame] }),
    ...(font.length > 0 && { "font-src": [...font] }),
    ...(worker.length > 0 && { "worker-src": [...worker] }),
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

function hashes(found: RegExpExecArray[]): string[] {
  return found.map(([, text = ""]) => hashOf(text));
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
