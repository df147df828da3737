import { testGolden } from "./golden.ts";

testGolden([6], [1, 4]);
