/** Vitest's order of test files. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files that take minutes. Without results of an earlier run, Vitest begins with the largest files, and these would end alone. */
export const longest: readonly string[] = [
  "apps/docs/test/every-page.long.test.ts",
  "apps/tools/test/release-dry-run.long.test.ts",
  "packages/client/test/matrix-programs.long.test.ts",
  "packages/client/test/matrix-types.long.test.ts",
];

/** Begins with the files that take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => longest.some((file) => moduleId.endsWith(file));
    return (await super.sort(files)).toSorted((one, other) => Number(isLongest(other)) - Number(isLongest(one)));
  }
}
