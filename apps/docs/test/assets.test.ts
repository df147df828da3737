import { expect, test } from "vitest";
import { bundled } from "../src/site/assets.ts";

test("a script with a regular expression that the oldest browsers cannot parse is refused", async () => {
  const script = (contents: string) => bundled({ stdin: { contents }, logLevel: "silent" });
  expect(await script("console.log(/(?=a)b/.source)")).toContain("/(?=a)b/");
  await expect(script("console.log(/(?<=a)b/.source)")).rejects.toThrow("regular expression");
});
