/** Code samples in Python, with its standard library only. */
import { apiKeyOf, keyHeader, keyVariable, type SampleRequest } from "./request.ts";

/**
 * Writes a request as a Python program, which prints the body of the response. urllib raises an HTTPError for 4xx and 5xx; the program
 * catches it if `fails`.
 */
export function pythonSample(request: SampleRequest, baseUrl: string, fails: boolean): string {
  const { path, query, headers, body } = request;
  const hasQuery = Object.keys(query).length > 0;
  const hasHeaders = body !== undefined || Object.keys(headers).length > 0;
  const url = hasQuery ? `${JSON.stringify(`${baseUrl}${path}?`)} + query` : JSON.stringify(baseUrl + path);
  const read = [`with urlopen(${hasHeaders ? "request" : "url"}) as response:`, "    print(response.read().decode())"];
  return [
    ...(body === undefined ? [] : ["import json"]),
    ...(apiKeyOf(request) === undefined ? [] : ["import os"]),
    ...(fails ? ["from urllib.error import HTTPError"] : []),
    ...(hasQuery ? ["from urllib.parse import urlencode"] : []),
    `from urllib.request import ${hasHeaders ? "Request, " : ""}urlopen`,
    "",
    ...(hasQuery ? [`query = urlencode(${dictionary(queryValues(query))})`] : []),
    `url = ${url}`,
    ...(hasHeaders ? [`headers = ${headerDictionary(request)}`] : []),
    ...(body === undefined ? [] : [`body = json.dumps(${dictionary(body)}).encode()`]),
    ...(hasHeaders ? [`request = Request(url, ${body === undefined ? "" : "body, "}headers=headers)`] : []),
    "",
    ...(fails ? ["try:", ...read.map((line) => `    ${line}`), ...printError] : read),
  ].join("\n");
}

const printError = ["except HTTPError as error:", "    print(error.read().decode())"];

/** Python writes its booleans as True and False, also in a query. */
function queryValues(query: SampleRequest["query"]): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, typeof value === "boolean" ? String(value) : value]),
  );
}

function headerDictionary({ headers, body }: SampleRequest): string {
  const all = { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers };
  const members = Object.entries(all).map(([name, value]) =>
    name.toLowerCase() === keyHeader ? `"X-API-Key": os.environ["${keyVariable}"]` : `"${name}": ${JSON.stringify(value)}`,
  );
  return lines(members);
}

function dictionary(value: object): string {
  return lines(Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${literal(member)}`));
}

function literal(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : JSON.stringify(value);
}

function lines(members: readonly string[]): string {
  if (members.length === 0) return "{}";
  return members.length === 1 && (members[0]?.length ?? 0) < 50
    ? `{${members[0]}}`
    : `{\n${members.map((member) => `    ${member},\n`).join("")}}`;
}
