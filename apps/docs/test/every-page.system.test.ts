/** One page of each layout. */
import { checkPages } from "./every-page.ts";

checkPages(["", "guides/testing/", "playground/", "reference/#lookupBlock", "404.html"], { isShort: true });
