/** The answers from every source, compared for a sample of requests. */
import { compareSources } from "./parity.ts";

compareSources(150);
