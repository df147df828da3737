/** The mock in the page, which the script of the playground calls in place of `fetch`. */
import { createResponder, exampleSource, RequestError } from "@chain-query/mock/responder";
import { operations } from "@chain-query/openapi/operations";
import { parseBody } from "@chain-query/openapi/requests";

const respond = createResponder({ source: exampleSource });

/** Responds to a request as a mock on this machine does. */
export async function respondInPage(request: Request): Promise<Response> {
  const { pathname: path, searchParams } = new URL(request.url);
  const text = await request.text();
  const names = [...new Set(searchParams.keys())];
  const { status, headers, body } = await respond({
    method: request.method,
    path,
    query: Object.fromEntries(names.map((name) => [name, oneOrAll(searchParams.getAll(name))])),
    headers: Object.fromEntries(request.headers),
    size: text.length,
    client: "page",
    ...(text === "" ? {} : bodyOf(text, path)),
  });
  return Response.json(body, { status, headers });
}

function oneOrAll(values: string[]): string | string[] {
  const [first, ...others] = values;
  return first !== undefined && others.length === 0 ? first : values;
}

/** As the mock's server reads it. */
function bodyOf(text: string, path: string): { body: unknown } | { error: RequestError } {
  const parsed = parseBody(text, operations.find((operation) => operation.path === path)?.id);
  return parsed.ok ? { body: parsed.body } : { error: new RequestError(422, parsed.problem) };
}
