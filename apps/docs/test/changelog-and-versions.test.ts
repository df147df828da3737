import { describe, expect, test } from "vitest";
import { changelogPage, versionsPage } from "../src/pages/changelog.ts";

const names = { decisions: [], guides: { "compatibility.md": "guides/compatibility/" }, exports: {} };
const client = `# @chain-query/client

## 2.1.0

### Minor Changes

- 1a2b3c4: Blocks are found by time. <b>At last</b>

### Patch Changes

- Updated dependencies [1a2b3c4]

## 2.0.1

### Patch Changes

- 5d6e7f8: A better text.
`;

describe("changelogPage", () => {
  test("shows the changelog of each package, with an id for each version", () => {
    const changes = [
      { name: "@chain-query/client", text: client },
      { name: "@chain-query/mock", text: "# @chain-query/mock\n\n## 2.0.1\n\n### Patch Changes\n\n- a: Faster.\n" },
      { name: "@chain-query/types", text: undefined },
    ];
    const { page, rendered } = changelogPage(changes, "2.1.0", names);
    expect(rendered.problems).toEqual([]);
    const shown = page.headings.filter(({ level }) => level <= 3).map(({ id, text, level }) => `${level} ${id} ${text}`);
    expect(shown).toEqual([
      "1 changelog Changelog",
      "2 client @chain-query/client",
      "3 client-2-1-0 2.1.0",
      "3 client-2-0-1 2.0.1",
      "2 mock @chain-query/mock",
      "3 mock-2-0-1 2.0.1",
      "2 without-changes Without changes",
    ]);
    expect(new Set(page.headings.map(({ id }) => id)).size).toBe(page.headings.length);
    expect(page.main.html).toContain("Blocks are found by time. &lt;b&gt;At last&lt;/b&gt;");
    expect(page.main.html).toContain("<code>@chain-query/types</code>");
  });

  test("says that nothing has changed yet", () => {
    const { page } = changelogPage([{ name: "@chain-query/client", text: undefined }], "2.0.0", names);
    expect(page.main.html).toContain("Nothing has changed since version 2.0.0");
  });
});

describe("versionsPage", () => {
  test("links to all kept versions, newest first", () => {
    const { page } = versionsPage("2.0.0", ["2.0.0", "2.10.0-1", "2.10.0", "2.9.1"], names);
    expect([...page.main.html.matchAll(/href="(\.\.\/v\/[^"]*)"/g)].map(([, to]) => to)).toEqual([
      "../v/2.10.0/",
      "../v/2.10.0-1/",
      "../v/2.9.1/",
      "../v/2.0.0/",
    ]);
    expect(page.main.html).toContain(">2.0.0</a>, which is the latest");
  });

  test("names the current version if no version is kept", () => {
    expect(versionsPage("2.0.0", [], names).page.markdown).toContain("\n- 2.0.0, which you are reading\n");
  });
});
