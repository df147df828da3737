import { testGolden } from "./golden.ts";

testGolden([200], [1, 9, 20]);
