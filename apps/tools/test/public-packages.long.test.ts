import { afterAll, beforeAll, test } from "vitest";
import { expectSameBytes, type PackedCopy, packages, packCopy } from "./packed-copy.ts";

let copy: PackedCopy;

beforeAll(async () => {
  copy = await packCopy();
});
afterAll(() => copy.remove());

test.for(packages)("$name has the same bytes whenever it is packed", (one) => expectSameBytes(copy, one));
