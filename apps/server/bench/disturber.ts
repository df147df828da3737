/** Somebody ill-behaved, in a process of their own: `node disturber.ts NAME COUNT PORT`. Says when it has begun, and ends with its parent. */
import { dripping, headerBombs, idling, largeBodies } from "../test/faults/disturbances.ts";

const disturbances = { dripping, headerBombs, idling, largeBodies };

const [name = "", count = "", port = ""] = process.argv.slice(2);
const disturb = disturbances[name as keyof typeof disturbances];
await disturb(Number(port), Number(count));
process.once("disconnect", () => process.exit());
process.send?.("begun");
