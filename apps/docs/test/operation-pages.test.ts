/** The pages of the operations, compared with the contract. */
import { decisions, info, type Operation, operations, operationsById, type Schema } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { adviceFor, handledStatuses } from "../src/pages/errors.ts";
import { readWorkflows } from "../src/pages/workflows.ts";
import { formOf } from "../src/playground/page.ts";
import { buildRequest } from "../src/playground/request.ts";
import { operationPages } from "../src/reference/operation-pages.ts";
import { overviewPage } from "../src/reference/overview.ts";
import { samplesOf } from "../src/samples/samples.ts";
import { operationPath } from "../src/site/page.ts";

const workflows = readWorkflows();
const handled = await handledStatuses();
const guideNames = ["keys-and-limits", "errors-and-retries", "following-a-message", "conformance"];
const guides = Object.fromEntries(guideNames.map((name) => [`${name}.md`, `guides/${name}/`]));
const names = { decisions: decisions.map(({ id }) => id), guides, exports: {} };
const pages = new Map(operationPages({ workflows, handled }, names).map((made) => [made.page.title, made]));

const words = (text: string): string => text.replaceAll("`", "").replaceAll(/\s+/g, " ").trim();
/** The visible text of HTML. */
const textOf = (html: string): string =>
  words(
    html
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&"),
  );

/** Every member of every object in a schema. */
function membersOf({ properties = {}, items, oneOf = [] }: Schema): [string, Schema][] {
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...oneOf];
  return [...Object.entries(properties), ...inner.flatMap(membersOf)];
}

test("the overview has base URL, key, limits, envelope, errors and every operation, after the whole contract", () => {
  const { page, rendered } = overviewPage(names);
  expect(rendered.problems).toEqual([]);
  expect(rendered.links[0]?.path).toBe("reference/all/");
  const text = textOf(page.main.html);
  for (const part of [info.baseUrl, "X-API-Key", "one request per second", "Retry-After", "If ok is true", "429", "504"]) {
    expect(text).toContain(part);
  }
  for (const { id, summary } of operations) {
    expect(rendered.links.map(({ path }) => path)).toContain(operationPath(id));
    expect(text).toContain(`${id}: ${summary}`);
  }
});

test("each operation has a page, at the address that the contract's package has, with advice of its own for 404", () => {
  expect([...pages.values()].map(({ page }) => [page.section, page.title]).toSorted()).toEqual(
    operations.map(({ tag, id }) => [tag, id]).toSorted(),
  );
  for (const { id, docsUrl } of operations) expect(info.docsUrl + operationPath(id)).toBe(docsUrl);
  const advised = operations.filter(({ responses }) => responses.some(({ status }) => status === "404"));
  expect(new Set(advised.map((one) => adviceFor(one, "NOT_FOUND"))).size).toBe(advised.length);
});

describe.for(operations.map((operation: Operation) => [operation.id, operation] as const))("%s", ([id, operation]) => {
  const made = pages.get(id);
  if (made === undefined) throw new Error(`there is no page ${id}`);
  const { page, rendered } = made;
  const text = textOf(page.main.html);
  const markdown = page.markdown ?? "";

  test("has its parts in order, and no problems", () => {
    const { html } = page.main;
    const parts = [
      "<h1",
      'class="endpoint"',
      'class="samples"',
      'class="response"',
      "Parameters",
      "Response fields",
      "Errors",
      "Try it",
    ];
    const places = parts.map((part) => html.indexOf(part.startsWith("<") || part.startsWith("c") ? part : `>${part} <`));
    const found = places.filter((place) => place >= 0);
    expect(found).toEqual(found.toSorted((one, other) => one - other));
    expect(found).toHaveLength(operation.inputs.length > 0 ? 8 : 7);
    expect(rendered.problems).toEqual([]);
  });

  test("has the whole description, and the first example in each language beside its response", () => {
    for (const sentence of operation.description.trim().split(/(?<=\.)\s+/)) expect(text).toContain(words(sentence));
    const [first] = operation.examples;
    if (first === undefined) throw new Error("no example");
    const samples = samplesOf({ operationId: id, ...first.request }, info.baseUrl, first.response.status >= 300);
    expect(samples).toHaveLength(5);
    for (const { source } of samples) expect(text).toContain(words(source));
    expect(text).toContain(`Response ${first.response.status}${words(JSON.stringify(first.response.body, null, 2))}`);
  });

  test("has each parameter with an example that the contract documents", () => {
    for (const { name, description, required } of operation.inputs) {
      expect(text).toContain(words(description));
      const own = new RegExp(`- \\*\\*\`${name}\`\\*\\* \\*(.*)\\*\n\n.* Example: \`(.*)\`(?: \\[D-.*)?\n`).exec(markdown);
      expect(own?.[1]).toMatch(required ? /, required$/ : /, (optional|one of these)$/);
      const values = operation.examples.map(({ request }) => ({ ...request.query, ...request.body })[name]);
      expect(operation.method === "GET" ? values.map(String) : values.map((one) => JSON.stringify(one)), name).toContain(
        own?.[2],
      );
    }
  });

  test("has each response field and each error, in Markdown too", () => {
    const members = membersOf(operation.envelope);
    expect(members.length).toBeGreaterThan(5);
    for (const [name, { description = "" }] of members) {
      expect(text, name).toContain(words(description));
      expect(markdown).toContain(`- **\`${name}\`** `);
    }
    for (const { status, description } of operation.responses.filter((one) => !one.status.startsWith("2"))) {
      expect(text).toContain(words(description));
      const todo = adviceFor(operation, handled.get(status)?.code ?? "");
      if (status !== "default") expect(markdown).toContain(todo?.split("[")[0]);
    }
    expect(markdown).toContain(`${operation.method} ${operation.path}`);
    expect(markdown).not.toMatch(/EXCHANGE|\[!/);
  });

  test("opens each example in the playground, and names the workflows that use it", () => {
    const paths = rendered.links.map(({ path }) => path);
    const wanted = operation.examples.map(({ condition }) => `playground/?operation=${id}&example=${condition}`);
    expect(paths.filter((path) => path.startsWith("playground/"))).toEqual(wanted);
    const using = workflows.filter(({ steps }) => steps.some((step) => step.operationId === id));
    expect(paths.filter((path) => path.startsWith("workflows/"))).toHaveLength(using.length);
  });

  test("says below the method how to authenticate, and the limit", () => {
    const line = "Authentication: none, or a key in the header X-API-Key. One request per second without a key.";
    expect(words(textOf(page.main.html))).toContain(words(line));
    expect(page.markdown).toContain(line);
  });

  test("links the decision of each input and field, and does not repeat its text", () => {
    const wanted = [...operation.inputs.map(({ decision, schema }) => decision ?? schema["x-decision"]), operation.decision]
      .concat(membersOf(operation.envelope).map(([, member]) => member["x-decision"]))
      .filter((one) => one !== undefined);
    const linked = rendered.links.map(({ href }) => href);
    for (const number of wanted) expect(linked).toContain(`decision:${number}`);
    const descriptions = [
      operation.description,
      ...membersOf(operation.envelope).map(([, { description = "" }]) => description),
    ];
    for (const { id: number, chosen } of decisions) {
      // A description of the contract can be the decision itself.
      if (!descriptions.includes(chosen)) expect(text, number).not.toContain(words(chosen));
    }
  });
});

test("the form of an operation in the playground is one of all its alternative bodies", () => {
  expect(formOf(operationsById.lookupBlock).fields.map(({ name, need, type }) => [name, need, type])).toEqual([
    ["workchain", "required", "number"],
    ["shard", "required", "string"],
    ["seqno", "or lt or unixtime", "number"],
    ["lt", "or seqno or unixtime", "string"],
    ["unixtime", "or seqno or lt", "number"],
  ]);
});

test.for(operations.flatMap((one) => one.examples.map((example) => [one, example] as const)))(
  "its form makes the documented request: $1.operationId, $1.condition",
  ([operation, { condition, request }]) => {
    const form = formOf(operation);
    const { values } = form.examples.find((each) => each.condition === condition) ?? expect.unreachable();
    const empty = Object.fromEntries(form.fields.map(({ name }) => [name, ""]));
    const { query, body } = buildRequest(form, { ...empty, ...values }, {});
    expect([query, body]).toEqual([request.query, request.body]);
  },
);
