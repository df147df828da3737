/** Code samples with curl. */
import { keyHeader, keyVariable, type SampleRequest } from "./request.ts";

/** Writes a request as a shell command, which reads the API key from the environment. */
export function curlSample({ path, query, headers, body }: SampleRequest, baseUrl: string): string {
  const fields = Object.entries(query).map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`);
  const parts = [
    `curl ${fields.length > 0 ? "--get " : ""}${quoteIfNeeded(baseUrl + path)}`,
    ...Object.entries(headers).map(headerOption),
    ...fields,
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quote(JSON.stringify(body))}`]),
  ];
  return parts.join(" \\\n  ");
}

function headerOption([name, value]: [string, string]): string {
  // The shell expands the variable within double quotes.
  return name.toLowerCase() === keyHeader ? `-H "X-API-Key: $${keyVariable}"` : `-H ${quote(`${name}: ${value}`)}`;
}

function quoteIfNeeded(word: string): string {
  return /^[\w.,:/@%+=-]+$/.test(word) ? word : quote(word);
}

/** Quotes a word for a shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
