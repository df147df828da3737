/** A process of its own: goes on with a chain until somebody ends it. Says on stdout when it begins. */
import { setImmediate as turn } from "node:timers/promises";
import { openProducer } from "../../src/open-producer.ts";

const producer = await openProducer(process.argv[2] ?? "");
process.stdout.write("begun\n");
for (;;) {
  await producer.step();
  await turn();
}
