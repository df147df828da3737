/** A process that makes blocks until it is killed. Prints a line when it has opened the chain. */
import { setImmediate as yieldToEvents } from "node:timers/promises";
import { openProducer } from "../../src/production/producer.ts";

const producer = await openProducer(process.argv[2] ?? "");
process.stdout.write("ready\n");
for (;;) {
  await producer.step();
  await yieldToEvents();
}
