import { testProperties } from "./properties.ts";

testProperties(4);
