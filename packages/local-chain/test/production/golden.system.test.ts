import { testGolden } from "./golden.ts";

testGolden([1, 3]);
