import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readmePages } from "../src/client/pages.ts";
import { divideReadme } from "../src/client/readme.ts";

const names = { decisions: [], guides: {}, exports: {} };
const long = "A sentence of some length. ".repeat(150);
const readme = `# @chain-query/client

What it is; see [the options](#options) and [the mock](../mock/README.md).

\`\`\`ts
const chain = createClient({ baseUrl });
\`\`\`

## How to

Tasks.

### Read a block

${long}

\`\`\`ts
await chain.lookupBlock({ lt });
\`\`\`

#### With a key

${long} See [reading](#read-a-block).

### Test

\`\`\`sh
## not a heading
\`\`\`

\`\`\`ts
import { sameAddress } from "@chain-query/client/address";
\`\`\`

## Options

| option | meaning |
| ------ | ------- |

### Of a call

See [keys](#with-a-key).
`;
const pages = readmePages(readme, names);

describe("divideReadme", () => {
  test("makes pages of sections, and of the subsections of long ones, which the first page lists", () => {
    const { pages: divided } = divideReadme(readme, "client/");
    expect(divided.map(({ path, section, text }) => [section, path, text.split("\n")[0]])).toEqual([
      ["Client", "client/", "# @chain-query/client"],
      ["How to", "client/read-a-block/", "# Read a block"],
      ["How to", "client/test/", "# Test"],
      ["Client", "client/options/", "# Options"],
    ]);
    expect(divided[0]?.text).toContain("## How to\n\nTasks.\n\n- [Read a block](#read-a-block)\n- [Test](#test)\n");
    expect(divided[1]?.text).toContain("\n## With a key\n");
    expect(divided[2]?.text).toContain("\n## not a heading\n");
  });

  test("has every heading of the client's README on a page", () => {
    const text = readFileSync(new URL(import.meta.resolve("@chain-query/client/package.json")), "utf8");
    expect(JSON.parse(text).name).toBe("@chain-query/client");
    const real = readFileSync(new URL("README.md", import.meta.resolve("@chain-query/client/package.json")), "utf8");
    const headings = [...real.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/^#{1,4} (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.length).toBeGreaterThan(5);
    const shown = divideReadme(real, "client/").pages.flatMap(({ text: page }) =>
      [...page.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/^#{1,4} (.+)$/gm)].map(([, heading]) => heading),
    );
    expect(shown.toSorted()).toEqual(headings.toSorted());
  });
});

describe("readmePages", () => {
  test("link from page to page, and to files of the repository", () => {
    expect(pages.flatMap(({ rendered }) => rendered.problems)).toEqual([]);
    expect(pages.map(({ rendered }) => rendered.links.map(({ path }) => path))).toEqual([
      ["client/options/", "client/read-a-block/", "client/test/"],
      ["client/", "client/read-a-block/"],
      [],
      ["client/read-a-block/#with-a-key"],
    ]);
    expect(pages[0]?.rendered.html).toContain(
      'href="https://github.com/chain-query/chain-query/blob/main/packages/mock/README.md"',
    );
  });

  test("say where the client of an example comes from, if it is on another page", () => {
    const notes = pages.map(({ rendered }) => /is the client of <a href="([^"]*)"/.exec(rendered.html)?.[1]);
    expect(notes).toEqual([undefined, "../../client/", undefined, undefined]);
    expect(pages.map(({ page }) => page.description).join()).not.toContain("first example");
  });

  test("have a description even if they begin with a table", () => {
    expect(pages.at(-1)?.page.description).toBe("Options: with the client for TypeScript and JavaScript.");
  });

  test("report a link to no heading", () => {
    const [page] = readmePages("# A\n\nSee [b](#b).\n", names);
    expect(page?.rendered.problems).toEqual([
      { file: "packages/client/README.md, page client/", line: 3, message: "the README has no heading #b" },
    ]);
  });
});
