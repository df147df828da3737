/** Production compared with the virtual machine alone, its cost by the number of accounts, and reads. */
import { benchProduction } from "./production.ts";
import { benchReads } from "./reads.ts";
import { benchScale } from "./scale.ts";

await benchProduction();
await benchScale();
await benchReads();
