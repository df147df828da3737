import { expect, test } from "vitest";
import { withoutPreviewNotes } from "../src/pages/guides.ts";

test("notes for a preview are not in a released version", () => {
  const text = "# T\n\n<!-- preview -->\n\n> Not published yet.\n\n<!-- /preview -->\n\nText\n";
  expect(withoutPreviewNotes(text, "2.0.0-0")).toBe("# T\n\n\n> Not published yet.\n\n\nText\n");
  expect(withoutPreviewNotes(text, "2.0.0")).toBe("# T\n\n\nText\n");
});
