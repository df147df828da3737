/** One page of each layout. */
import { operations } from "@chain-query/openapi/operations";
import { checkPages } from "./every-page.ts";

checkPages(["", "guides/testing/", "playground/", "reference/", "404.html"], operations.slice(0, 1));
