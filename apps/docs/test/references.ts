/** Addresses in the text of a page. */

/** Addresses that a browser loads with the page. */
export function fetched(html: string): string[] {
  return [
    ...[...html.matchAll(/<(?!a\b)[a-z][^>]*?\s(?:src|srcset|href|data|poster|action)="([^"]*)"/gi)].map(
      ([, address = ""]) => address,
    ),
    ...[...html.matchAll(/@import\s+(?:url\()?["']?([^"'); ]+)/gi)].map(([, address = ""]) => address),
    ...[...html.matchAll(/\burl\(\s*["']?([^"')]+)/gi)].map(([, address = ""]) => address),
    ...[...html.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/gi)].map(([, address = ""]) => address),
  ];
}

/** Addresses of links. */
export function linked(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/gi)].map(([, address = ""]) => address);
}

/** Whether an address is on another site. */
export function leavesSite(address: string): boolean {
  const base = "http://site.invalid/";
  const { protocol, origin } = new URL(address, base);
  return protocol !== "data:" && protocol !== "mailto:" && origin !== new URL(base).origin;
}
