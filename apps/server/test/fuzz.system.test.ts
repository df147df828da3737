import { test } from "vitest";
import { fuzzService } from "./fixtures/fuzz-service.ts";

test("the service answers hundreds of invalid requests as the contract says", () => fuzzService({ warmUp: 50, count: 250 }));
