/** Outages of a moment: what happens after longer ones is tested in virtual time. */
import { surviveOutages } from "./outage.ts";

surviveOutages([2, 3], 2, 0);
