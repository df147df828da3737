/** One page of each layout. */
import { checkPages } from "./every-page.ts";

checkPages(["", "guides/testing/", "playground/", "reference/lookupBlock/", "reference/#/blocks/lookupblock", "404.html"], {
  isShort: true,
});
