/** `pnpm bench NAME`: measures and prints; nothing here asserts. */
import { parseFlags, runCommand, UsageError } from "./command.ts";

const benches: Record<string, { about: string; run: () => Promise<number> }> = {
  client: {
    about: "size of the client beside others, time per call, a thousand calls at once",
    run: async () => (await import("./bench-client.ts")).benchClient(),
  },
  pipeline: {
    about: "fresh clone to eight answers, check cold and warm, one line of the contract edited",
    run: async () => (await import("./bench-pipeline.ts")).benchPipeline(),
  },
};
const accepted = Object.entries(benches).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`);

await runCommand(async () => {
  const { values, positionals } = parseFlags({
    options: { help: { type: "boolean", short: "h", default: false } },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(["Measures and prints. pnpm bench NAME, where NAME is", "", ...accepted].join("\n"));
    return 0;
  }
  const [name = "", ...rest] = positionals;
  const bench = benches[name];
  if (bench === undefined || rest.length > 0) {
    throw new UsageError(`bench "${positionals.join(" ")}": one of ${Object.keys(benches).join(", ")} is accepted`);
  }
  return bench.run();
});
