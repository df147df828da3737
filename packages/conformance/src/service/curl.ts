import { contentOf, type Exchange, headersOf, targetOf } from "./exchange.ts";

/** A command line longer than this is refused by shells, and read by nobody. */
const longest = 4000;

/**
 * The request as a line for a shell. The key is never in it: `$CHAIN_API_KEY` stands for it.
 *
 * @example
 * ```ts
 * curlOf({ request: { operation: "getMasterchainInfo", method: "GET", path: "/api/v2/getMasterchainInfo" }, keyed: true, outcome: "" }, url);
 * // curl -sS http://127.0.0.1:4010/api/v2/getMasterchainInfo -H "X-API-Key: $CHAIN_API_KEY"
 * ```
 */
export function curlOf({ request, keyed }: Exchange, baseUrl: string): string {
  const url = shortened(`${baseUrl}${targetOf(request)}`);
  const method = request.method === "GET" ? [] : ["-X", request.method];
  const headers = Object.entries(headersOf(request)).flatMap(([name, value]) => ["-H", quoted(`${name}: ${value}`)]);
  const key = keyed ? ["-H", '"X-API-Key: $CHAIN_API_KEY"'] : [];
  return ["curl", "-sS", ...method, quoted(url), ...headers, ...key, ...data(contentOf(request))].join(" ");
}

function data(content: string | undefined): string[] {
  if (content === undefined) return [];
  if (content.length <= longest) return ["--data-raw", quoted(content)];
  // What makes a request long is one character many times over.
  const run = /(.)\1{999,}/s.exec(content);
  if (run === null) return ["--data-raw", quoted(shortened(content))];
  const [before, after] = [content.slice(0, run.index), content.slice(run.index + run[0].length)];
  const filling = `head -c ${run[0].length} /dev/zero | tr '\\0' ${quoted(run[1] ?? "")}`;
  return ["--data-binary", `@<(printf %s ${quoted(before)}; ${filling}; printf %s ${quoted(after)})`];
}

function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, 200)}… ${text.length} characters in all`;
}

function quoted(text: string): string {
  if (/^[\w:/.,=+-]+$/.test(text)) return text;
  // Control characters would act on the terminal that shows the line; $'…' is how a shell writes them.
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) return `$'${[...text].map(escaped).join("")}'`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function escaped(character: string): string {
  if (character === "'" || character === "\\") return `\\${character}`;
  if (!/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
