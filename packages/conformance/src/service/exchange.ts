/** One request to a service and its response, the request as a curl command, and the removal of secrets from texts. */

/** A request as data; it is sent unchanged even if it is invalid. */
export interface Request {
  /** The operation that it addresses. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged instead of a body. */
  readonly text?: string;
}

/** A received response. */
export interface HttpResponse {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  readonly date?: string | undefined;
  /** The parsed body; undefined if it is not JSON that can be validated. */
  readonly body: unknown;
  /** The reason if the body is undefined. */
  readonly problem?: string;
}

/** A request with its response, or with the error if it has no response. */
export interface Exchange {
  readonly request: Request;
  /** The names of the headers whose values are secret: that of the key, if it was sent, and those of all requests. */
  readonly secrets: readonly string[];
  readonly outcome: HttpResponse | string;
}

/** The response; undefined if none arrived. */
export function responseOf({ outcome }: Exchange): HttpResponse | undefined {
  return typeof outcome === "string" ? undefined : outcome;
}

/** The body of a request as text. */
export function contentOf({ body, text }: Request): string | undefined {
  return text ?? (body === undefined ? undefined : JSON.stringify(body));
}

/** The headers of a request, except the key. */
export function headersOf(request: Request): Record<string, string> {
  const hasContent = request.text !== undefined || request.body !== undefined;
  return { ...(hasContent ? { "content-type": "application/json" } : {}), ...request.headers };
}

/** Path and query. */
export function targetOf({ path, query = {} }: Request): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

/** Headers by name, for example `{ Authorization: "Bearer …" }`. */
export type Headers = Readonly<Record<string, string>>;

/** The shell variable that stands for the value of a header in curl commands and reports. */
function variableOf(header: string): string {
  return header === "X-API-Key" ? "$CHAIN_API_KEY" : `$${header.toUpperCase().replaceAll(/\W/g, "_")}`;
}

/** Longer values are shortened: shells limit the length of an argument. */
const longest = 4000;

/** The request as a curl command. Variables stand for secrets: `$CHAIN_API_KEY`, and `$AUTHORIZATION` for a header `Authorization` of all. */
export function curlOf({ request, secrets }: Exchange, baseUrl: string): string {
  const url = shortened(`${baseUrl}${targetOf(request)}`);
  const method = request.method === "GET" ? [] : ["-X", request.method];
  const headers = Object.entries(headersOf(request)).flatMap(([name, value]) => ["-H", quoted(`${name}: ${value}`)]);
  return [
    "curl",
    "-sS",
    ...method,
    quoted(url),
    ...headers,
    ...secrets.flatMap((name) => ["-H", `"${name}: ${variableOf(name)}"`]),
    ...data(contentOf(request)),
  ].join(" ");
}

function data(content: string | undefined): string[] {
  if (content === undefined) return [];
  if (content.length <= longest) return ["--data-raw", quoted(content)];
  // Long requests of the checks repeat one character.
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
  // Control characters would act on the terminal that shows the line; shells accept them escaped in $'…'.
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) return `$'${[...text].map(escaped).join("")}'`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function escaped(character: string): string {
  if (character === "'" || character === "\\") return `\\${character}`;
  if (!/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** Shorter keys are replaced only as whole words, because they may be part of unrelated words. */
const distinctLength = 8;

/** Replaces the key by `$CHAIN_API_KEY` and each header's value by its variable in a text: plain, JSON-escaped or URL-encoded. */
export function redactor(key: string | undefined, ofAllRequests: Headers = {}): (text: string) => string {
  const secrets = Object.entries({ ...(key !== undefined && { "X-API-Key": key }), ...ofAllRequests });
  const patterns = secrets.flatMap(([name, secret]) =>
    formsOf(secret).map((form) => [patternOf(form), variableOf(name)] as const),
  );
  return (text) => patterns.reduce((redacted, [pattern, shown]) => redacted.replaceAll(pattern, () => shown), text);
}

/** The longest first, because one may contain another. */
function formsOf(key: string): string[] {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const inUrl = encodeURIComponent(key);
  const inForm = new URLSearchParams([["", key]]).toString().slice(1);
  const forms = [key, inJson(key), inJson(inJson(key)), inUrl, inForm];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function patternOf(form: string): RegExp {
  const exactly = [...form].map(literal).join("");
  if (form.length < distinctLength) return new RegExp(`(?<!\\w)${exactly}(?!\\w)`, "g");
  // Previews show the beginning of a long text, so the text may end inside the key.
  const cut = [...form].slice(4).reduceRight((rest, character) => `(?:${literal(character)}${rest})?`, "");
  const beginning = [...form].slice(0, 4).map(literal).join("");
  return new RegExp(`${exactly}|${beginning}${cut}(?="…)`, "g");
}

/** Percent-encoding has hexadecimal digits in either case. */
function literal(character: string): string {
  if (/[a-f]/i.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
  return /\w/.test(character) ? character : `\\${character}`;
}
