/** The responses from every source, compared for a sample of requests. */
import { compareSources } from "./parity.ts";

compareSources({ count: 80, ofRecent: 500, steps: 2 });
