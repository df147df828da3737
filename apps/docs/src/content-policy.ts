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
  /** Texts of style attributes that its script writes. */
  styles?: readonly string[];
}

/** A style element that a script makes and then fills rule by rule is checked while it is empty. */
const emptyStyle = hashOf("");

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
  { connect = [], worker = [], font = [], frame = [], styles: written = [] }: PolicyNeeds,
): string {
  const scripts = [...document.matchAll(/<script(?![^>]*\b(?:src|type)=)[^>]*>([\s\S]*?)<\/script>/g)];
  const styles = [...document.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/g)];
  const attributes = [
    ...hashes([...document.replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/g, "").matchAll(/\sstyle="([^"]*)"/g)]),
    ...written.map(hashOf),
  ];
  const styleHashes = [...hashes(styles), ...(styles.length > 0 ? [emptyStyle] : [])];
  const directives: Record<string, string[]> = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...hashes(scripts)],
    "style-src": ["'self'", ...styleHashes, ...(attributes.length > 0 ? ["'unsafe-hashes'", ...attributes] : [])],
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

function hashes(found: RegExpExecArray[]): string[] {
  return found.map(([, text = ""]) => hashOf(text));
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
