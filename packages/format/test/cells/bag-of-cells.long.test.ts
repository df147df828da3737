import { test } from "vitest";
import { checkRoots, checkTrees } from "./any-trees.ts";

test("bags of cells read back any tree, from the bytes that @ton/core writes", () => checkTrees(300));

test("bags of several roots are read by @ton/core and readBocRoots, with shared cells once", () => checkRoots(100));
