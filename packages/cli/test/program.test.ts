import { helpText } from "@chain-query/command-line";
import { operations } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { completionScript, parseArguments, program } from "../src/program.ts";
import { tableOf } from "../src/table.ts";

const address = `-1:${"5".repeat(64)}`;
const parse = (line: string) => parseArguments(line.split(" "), { CHAIN_QUERY_URL: "http://127.0.0.1:4010" });

describe("command line", () => {
  test.for(operations.map(({ id, inputs }) => [id, inputs.map(({ name }) => name)] as const))(
    "%s takes each input of the contract once",
    ([id, inputs]) => {
      const { arguments: parameters = {}, flags = {} } = program.commands[id] ?? {};
      const names = [...Object.keys(parameters), ...Object.keys(flags)].filter((name) => !["url", "watch"].includes(name));
      const wire = names.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
      expect(wire.toSorted()).toEqual([...inputs].toSorted());
    },
  );

  test.for([
    [`getAddressInformation ${address} --seqno 5`, { address, seqno: "5" }],
    ["lookupBlock --workchain -1 --shard -9223372036854775808", { workchain: "-1", shard: "-9223372036854775808" }],
    [`getTransactionsStd ${address} --to-lt 9007199254740993 --archival`, { toLt: "9007199254740993", archival: true }],
    [`tryLocateResultTx --source  --destination ${address} --created-lt 1`, { source: "", destination: address }],
  ] as const)("%s", ([line, inputs]) => {
    expect(parse(line)).toMatchObject(inputs);
  });

  test.for([
    ["getAddressInformation", "<address>: missing; usage: chain-query getAddressInformation <address> --url <url> [options]"],
    ["lookupBlock --workchain 0", "--shard: missing; expected "],
    [`getTransactionsStd ${address} --watch --limit 3`, "--watch: not together with --limit"],
    [`getTransactionsStd ${address} --watch --hash 3`, "--watch: expected --lt and --hash together, or neither"],
    ["getMasterchainInfo --url ftp://host", "--url: expected the http:// or https:// URL of a deployment"],
    ["getMasterchainInfo --url http://user@host", "--url: expected the http:// or https:// URL of a deployment"],
    ["getMasterchainInfo --url http://host?key=1", "--url: expected the http:// or https:// URL of a deployment"],
    ["getBalance", "unknown command"],
  ])("%s fails with one line: %s", ([line = "", message]) => {
    expect(() => parse(line)).toThrow(message);
  });

  test("the help names every command, and the variable of the key", () => {
    const help = helpText(program);
    for (const name of [...Object.keys(program.commands), "CHAIN_API_KEY"]) expect(help).toContain(name);
  });

  test("fish completes no files", () => {
    expect(completionScript("fish")).toMatch(/^complete -c chain-query -f$/m);
  });

  test.for(["bash", "zsh", "fish"])("the script for %s completes every command and option", (shell) => {
    const script = completionScript(shell);
    for (const word of [...Object.keys(program.commands), "created-lt", "watch"]) expect(script).toContain(word);
  });
});

test("table has a line for each member and a table for each list, cut to the width", () => {
  const shards = [
    { id: { shard: "4", workchain: 0 }, size: 2, notes: [] },
    { id: { shard: "-9223372036854775808", workchain: 0 }, size: 10, notes: [{}, {}] },
  ];
  expect(tableOf({ "@type": "x", total: 12, "last\u001b": "a".repeat(60), shards }, 40)).toBe(
    [
      "total  12",
      `last·  ${"a".repeat(32)}…`,
      "",
      "shards: 2",
      "id.shard              id.workchain  siz…",
      "4                     0             2",
      "-9223372036854775808  0             10 …",
    ].join("\n"),
  );
  expect(tableOf({ last: 840 }, 0)).toBe("last  840");
});
