/** `pnpm run audit`: fails where the registry knows of a high or critical weakness in what is installed. */
import { parseFlags, runCommand } from "./command.ts";
import { auditOf } from "./supply-chain/audit.ts";

const help = `Asks the registry for weaknesses that are known of what is installed, and fails on high and critical ones.

  pnpm run audit

Where it cannot ask, it says that it is offline, and succeeds. A weakness that does not concern us is named, with the reason
beside it, under auditConfig.ignoreGhsas in pnpm-workspace.yaml.`;

await runCommand(async () => {
  const { values } = parseFlags({ options: { help: { type: "boolean", short: "h", default: false } } });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const { lines, sound } = await auditOf(process.cwd());
  for (const line of lines) (sound ? console.log : console.error)(line);
  return sound ? 0 : 1;
});
