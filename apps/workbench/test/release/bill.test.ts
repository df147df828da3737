import { expect, test } from "vitest";
import { type Bill, withBundled } from "../../src/release/bill.ts";

const component = (name: string) => ({ "bom-ref": `pkg:npm/${name}@1.0.0`, purl: `pkg:npm/${name}@1.0.0` });
const bill = (...names: string[]): Bill => ({
  metadata: { component: component("mock") },
  components: names.map(component),
  dependencies: [
    { ref: "pkg:npm/mock@1.0.0", dependsOn: ["pkg:npm/openapi@1.0.0"] },
    { ref: "pkg:npm/openapi@1.0.0", dependsOn: [] },
  ],
});

test("a bill names what is installed and what is bundled, each once", () => {
  const merged = withBundled(bill("openapi"), bill("openapi", "prism", "vitest"), [
    "pkg:npm/prism@1.0.0",
    "pkg:npm/openapi@1.0.0",
  ]);
  expect(merged.components).toEqual([component("openapi"), component("prism")]);
  expect(merged.dependencies).toEqual([
    { ref: "pkg:npm/mock@1.0.0", dependsOn: ["pkg:npm/openapi@1.0.0", "pkg:npm/prism@1.0.0"] },
    { ref: "pkg:npm/openapi@1.0.0", dependsOn: [] },
    { ref: "pkg:npm/prism@1.0.0", dependsOn: [] },
  ]);
});

test("a bundled package that the workspace does not have is an error", () => {
  expect(() => withBundled(bill(), bill("prism"), ["pkg:npm/lodash@4.0.0"])).toThrow(
    "bundled, but not installed: pkg:npm/lodash@4.0.0",
  );
});
