/** Production compared with the virtual machine alone, its cost by the number of accounts, reads, and states. */
import { benchProduction } from "./production.ts";
import { benchReads } from "./reads.ts";
import { benchScale } from "./scale.ts";
import { benchStates } from "./states.ts";

await benchProduction();
await benchScale();
await benchReads();
await benchStates();
