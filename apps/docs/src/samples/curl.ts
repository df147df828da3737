import { keyHeader, keyVariable, type SampleRequest } from "./request.ts";

/**
 * Writes a request as a shell command, which reads the key from the environment.
 *
 * @example
 * curlSample(request, "http://127.0.0.1:4010"); // "curl http://127.0.0.1:4010/api/v2/getMasterchainInfo"
 */
export function curlSample({ path, query, headers, body }: SampleRequest, baseUrl: string): string {
  const fields = Object.entries(query).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  const parts = [
    `curl ${fields.length > 0 ? "--get " : ""}${plainOrQuoted(baseUrl + path)}`,
    ...Object.entries(headers).map(header),
    ...fields,
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return parts.join(" \\\n  ");
}

function header([name, value]: [string, string]): string {
  // The shell expands the variable within double quotes.
  return name.toLowerCase() === keyHeader ? `-H "X-API-Key: $${keyVariable}"` : `-H ${quoted(`${name}: ${value}`)}`;
}

function plainOrQuoted(word: string): string {
  return /^[\w.,:/@%+=-]+$/.test(word) ? word : quoted(word);
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
