/** Between the requests of a browser and the questions of the mock. */
import { type Answer, type Question, Refusal } from "@chain-query/mock/answering";

/** Reads a request whose path begins with that of the mock's base URL. */
export async function questionIn(request: Request, base: URL): Promise<Question> {
  const { pathname, searchParams } = new URL(request.url);
  const text = await request.text();
  return {
    method: request.method,
    path: pathname.slice(base.pathname.length),
    query: Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, oneOrAll(searchParams.getAll(name))])),
    headers: Object.fromEntries(request.headers),
    size: text.length,
    client: "page",
    ...(text === "" ? {} : parsed(text)),
  };
}

/** Writes an answer as a browser gets it. */
export function responseOf({ status, headers, body }: Answer): Response {
  return Response.json(body, { status, headers });
}

function oneOrAll(values: string[]): string | string[] {
  const [first, ...others] = values;
  return first !== undefined && others.length === 0 ? first : values;
}

function parsed(text: string): Pick<Question, "body" | "refusal"> {
  try {
    return { body: JSON.parse(text) };
  } catch (error) {
    return { refusal: new Refusal(422, `the body is not JSON: ${error instanceof Error ? error.message : error}`) };
  }
}
