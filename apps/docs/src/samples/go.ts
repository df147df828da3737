/** Code samples in Go, with its standard library only. */
import { apiKeyOf, keyHeader, keyVariable, type SampleRequest } from "./request.ts";

/** Writes a request as a Go program, which prints the body of the response, as gofmt formats it. */
export function goSample(request: SampleRequest, baseUrl: string): string {
  const { query, headers, body } = request;
  const hasQuery = Object.keys(query).length > 0;
  const isPlain = body === undefined && Object.keys(headers).length === 0;
  const packages = [
    "io",
    "log",
    "net/http",
    ...(hasQuery ? ["net/url"] : []),
    "os",
    ...(body === undefined ? [] : ["strings"]),
  ];
  const statements = [
    ...(hasQuery ? ["query := url.Values{}"] : []),
    ...Object.entries(query).map(([name, value]) => `query.Set(${JSON.stringify(name)}, ${JSON.stringify(String(value))})`),
    ...(isPlain ? [`response, err := http.Get(${urlOf(request, baseUrl, " + ")})`] : newRequest(request, baseUrl)),
    ...fatal,
    "defer response.Body.Close()",
    "io.Copy(os.Stdout, response.Body)",
  ];
  return [
    "package main",
    "",
    `import (\n${packages.map((name) => `\t"${name}"\n`).join("")})`,
    "",
    "func main() {",
    ...statements.map((statement) => `\t${statement.replaceAll("\n", "\n\t")}`),
    "}",
  ].join("\n");
}

const fatal = ["if err != nil {\n\tlog.Fatal(err)\n}"];

function newRequest(request: SampleRequest, baseUrl: string): string[] {
  const { method, headers, body } = request;
  const set = Object.entries({ ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers });
  return [
    ...(body === undefined ? [] : [`body := strings.NewReader(${stringLiteral(JSON.stringify(body))})`]),
    `request, err := http.NewRequest("${method}", ${urlOf(request, baseUrl, "+")}, ${body === undefined ? "nil" : "body"})`,
    ...fatal,
    ...set.map(([name, value]) => `request.Header.Set(${headerArguments(name, value, request)})`),
    "response, err := http.DefaultClient.Do(request)",
  ];
}

function headerArguments(name: string, value: string, request: SampleRequest): string {
  const isKey = name.toLowerCase() === keyHeader && apiKeyOf(request) !== undefined;
  return isKey ? `"X-API-Key", os.Getenv("${keyVariable}")` : `${JSON.stringify(name)}, ${JSON.stringify(value)}`;
}

/** gofmt writes no spaces around an operator in a list of arguments. */
function urlOf({ path, query }: SampleRequest, baseUrl: string, plus: string): string {
  return Object.keys(query).length === 0
    ? JSON.stringify(baseUrl + path)
    : `${JSON.stringify(`${baseUrl}${path}?`)}${plus}query.Encode()`;
}

/** A raw string, which needs no escapes, unless the text has a backquote. */
function stringLiteral(text: string): string {
  return text.includes("`") ? JSON.stringify(text) : `\`${text}\``;
}
