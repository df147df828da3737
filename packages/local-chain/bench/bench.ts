/** The cost of production by the number of accounts, and reads. */
import { benchReads } from "./reads.ts";
import { benchScale } from "./scale.ts";

await benchScale();
await benchReads();
