/** One page of each layout. Those of the playground and of the reference have tests of their own. */
import { checkPages } from "./every-page.ts";

checkPages(["", "guides/testing/", "reference/lookupBlock/", "404.html"], { isShort: true });
