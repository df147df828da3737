/** The pages of the operations, compared with the contract. */
import { decisions, info, type Operation, operations, type Schema } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { adviceFor, handledStatuses } from "../src/pages/errors.ts";
import type { MarkdownPage } from "../src/pages/markdown-page.ts";
import { readWorkflows } from "../src/pages/workflows.ts";
import { operationPages } from "../src/reference/operation-pages.ts";
import { samplesOf } from "../src/samples/samples.ts";

const workflows = readWorkflows();
const handled = await handledStatuses();
const guides = {
  "keys-and-limits.md": "k/",
  "errors-and-retries.md": "e/",
  "following-a-message.md": "f/",
  "conformance.md": "c/",
};
const names = { decisions: decisions.map(({ id }) => id), guides, exports: {} };
const pages = new Map(operationPages({ workflows, handled }, names).map((made) => [made.page.title, made]));

function pageOf(id: string): MarkdownPage {
  const made = pages.get(id);
  if (made === undefined) throw new Error(`there is no page ${id}`);
  return made;
}

/** The visible text of HTML. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ");
const words = (text: string): string => text.replaceAll("`", "").replaceAll(/\s+/g, " ").trim();

/** Every member of every object in a schema, with its description. */
function membersOf({ properties = {}, items, oneOf = [] }: Schema): [string, Schema][] {
  const own = Object.entries(properties);
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...oneOf];
  return [...own, ...inner.flatMap(membersOf)];
}

describe("the pages of operations", () => {
  test("are one for each operation, by tag, with a title and a description of their own", () => {
    expect([...pages.values()].map(({ page }) => [page.section, page.title]).toSorted()).toEqual(
      operations.map(({ tag, id }) => [tag, id]).toSorted(),
    );
    const descriptions = [...pages.values()].map(({ page }) => page.description);
    expect(new Set(descriptions).size).toBe(operations.length);
    for (const { rendered } of pages.values()) expect(rendered.problems).toEqual([]);
  });

  test("has advice of its own for 404", () => {
    const advised = operations.filter(({ responses }) => responses.some(({ status }) => status === "404"));
    const texts = advised.map((one) => adviceFor(one, "NOT_FOUND"));
    expect(new Set(texts).size).toBe(advised.length);
  });

  describe.for(operations.map((operation: Operation) => [operation.id, operation] as const))("%s", ([id, operation]) => {
    const { page, rendered } = pageOf(id);
    const text = textOf(page.main.html);

    test("has its parts in order", () => {
      const parts = [
        ...(operation.inputs.length > 0 ? ["Parameters"] : []),
        ...["Response fields", "Errors", "Try it"],
        ...(workflows.some(({ steps }) => steps.some((step) => step.operationId === id)) ? ["Workflows"] : []),
      ];
      expect(rendered.headings.filter(({ level }) => level === 2).map(({ text: heading }) => heading)).toEqual(parts);
      const { html } = page.main;
      const places = ["<h1", 'class="endpoint"', 'class="samples"', 'class="response"', "<h2"].map((part) =>
        html.indexOf(part),
      );
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(places[0]).toBeGreaterThanOrEqual(0);
    });

    test("has the whole description", () => {
      for (const sentence of operation.description.trim().split(/(?<=\.)\s+/)) expect(text).toContain(words(sentence));
    });

    test("has the first example in each language, and its response", () => {
      const [first] = operation.examples;
      if (first === undefined) throw new Error("no example");
      const samples = samplesOf({ operationId: id, ...first.request }, info.baseUrl, first.response.status >= 300);
      expect(samples).toHaveLength(5);
      for (const { source } of samples) expect(text).toContain(source.replaceAll(/\s+/g, " "));
      expect(text).toContain(
        `Response ${first.response.status}${JSON.stringify(first.response.body, null, 2).replaceAll(/\s+/g, " ")}`,
      );
    });

    test("has each parameter with one example that the contract documents", () => {
      expect(text.match(/Example: /g) ?? []).toHaveLength(operation.inputs.length);
      for (const { name, description, required } of operation.inputs) {
        expect(text).toContain(words(description));
        const own = new RegExp(`- \\*\\*\`${name}\`\\*\\* \\*(.*)\\*\n\n.* Example: \`(.*)\`\n`).exec(page.markdown ?? "");
        expect(own?.[1]).toMatch(required ? /, required$/ : /, (optional|one of these)$/);
        const values = operation.examples.map(({ request }) => ({ ...request.query, ...request.body })[name]);
        const shown = operation.method === "GET" ? values.map(String) : values.map((value) => JSON.stringify(value));
        expect(shown, name).toContain(own?.[2]);
      }
    });

    test("has each response field with its description", () => {
      const fields = textOf(/<h2 id="response-fields">[\s\S]*?(?=<h2)/.exec(page.main.html)?.[0] ?? "");
      const members = membersOf(operation.envelope);
      expect(members.length).toBeGreaterThan(5);
      for (const [name, { description = "" }] of members) {
        expect(fields).toContain(` ${name} `);
        expect(fields, name).toContain(words(description));
      }
    });

    test("has each error with the advice for its code", () => {
      for (const { status, description } of operation.responses.filter((one) => !one.status.startsWith("2"))) {
        expect(text).toContain(words(description));
        const link = status === "default" ? "errors/#other-statuses" : `errors/#${status}`;
        expect(rendered.links.map(({ path }) => path)).toContain(link);
        const todo = adviceFor(operation, handled.get(status)?.code ?? "");
        if (status !== "default") expect(page.markdown).toContain(todo?.split("[")[0]);
      }
    });

    test("advises archival: true only if the operation has this input", () => {
      const hasInput = operation.inputs.some(({ name }) => name === "archival");
      const rows = page.markdown?.split("\n").filter((line) => line.startsWith("| [5")) ?? [];
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(row.includes("archival: true")).toBe(hasInput);
    });

    test("opens each example in the playground", () => {
      const links = rendered.links.map(({ path }) => path).filter((path) => path.startsWith("playground/"));
      expect(links).toEqual(operation.examples.map(({ condition }) => `playground/?operation=${id}&example=${condition}`));
    });

    test("names the workflows that use it", () => {
      const using = workflows.filter(({ steps }) => steps.some((step) => step.operationId === id));
      const links = rendered.links.filter(({ path }) => path.startsWith("workflows/"));
      expect(links).toHaveLength(using.length);
      for (const { title } of using) expect(text).toContain(title);
    });

    test("folds each decision, once", () => {
      const { html } = page.main;
      const unfolded = textOf(html.replaceAll(/<details[\s\S]*?<\/details>/g, ""));
      const descriptions = new Set(membersOf(operation.envelope).map(([, { description }]) => description));
      for (const { id: number, chosen } of decisions) {
        expect(text.split(words(chosen)).length, number).toBeLessThanOrEqual(2);
        // A description of the contract can be the decision itself.
        if (!descriptions.has(chosen)) expect(unfolded, number).not.toContain(words(chosen));
      }
      if (operation.decision !== undefined) expect(html).toContain(`decisions/#${operation.decision.toLowerCase()}`);
      expect(html.match(/<details/g)?.length).toBe(html.match(/<summary>Unspecified by the document; we chose …/g)?.length);
    });

    test("has all that in Markdown too", () => {
      const markdown = page.markdown ?? "";
      expect(markdown).toMatch(new RegExp(`^# ${id}\n\n`));
      expect(markdown).not.toMatch(/EXCHANGE|\[!/);
      expect(markdown).toContain(`${operation.method} ${operation.path}`);
      for (const { name } of operation.inputs) expect(markdown).toContain(`- **\`${name}\`** `);
      for (const [name] of membersOf(operation.envelope)) expect(markdown).toContain(`- **\`${name}\`** `);
    });
  });
});
