import { type Option, serveTable } from "./serve-options.ts";

const column = 27;

/** The text of `--help`, which fits a screen. */
export const serveHelp: string = `Usage: chain-query-server [options]
       chain-query-server keys add|list|revoke [options]

Answers the Chain Query HTTP API from a chain, until Ctrl-C.

${Object.values<Option<unknown>>(serveTable).map(line).join("\n")}
${line({ name: "config", help: ["<file>", "the same options in a file of YAML or JSON"] })}
  --version, --help        print the version, or this

Flags go before the environment (CHAIN_QUERY_PORT), and that before the file.
`;

function line({ name, help: [takes, does] }: Pick<Option<unknown>, "name" | "help">): string {
  return `  --${name} ${takes}`.padEnd(column) + does;
}
