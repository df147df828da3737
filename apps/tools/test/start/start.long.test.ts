import { expect, test } from "vitest";
import { freePorts, start } from "./start.ts";

test("start ends after the table with --once", async () => {
  const { code, output } = await start("--once", ...freePorts).ended;
  expect(code, output).toBe(0);
  expect(output).toMatch(/^lookupBlock +200 /m);
  expect(output).not.toContain("Ctrl-C");
});
