import { CommandLineError } from "@chain-query/command-line";
import { describe, expect, test } from "vitest";
import { parseArguments } from "../../src/command/arguments.ts";

const url = "http://host";

describe("parseArguments", () => {
  test("has defaults for all options of a service", () => {
    expect(parseArguments([`${url}/`], { CHAIN_API_KEY: "" })).toEqual({
      command: "service",
      options: { baseUrl: url, profile: "examples", only: [], accounts: [], timeout: 30_000, checkLimits: false },
      reports: [],
    });
  });

  test("reads every option of a service", () => {
    const account = `-1:${"5".repeat(64)}`;
    const args = ["--profile", "live", "--api-key=k", "--only", "lookupBlock,getConsensusBlock", "--only=getOutMsgQueueSize"];
    const more = ["--account", account, "--timeout", "0.5", "--seed", "7", "--fuzz=3", "--requests-per-second", "2.5"];
    const headers = ["--header", "Authorization: Bearer a", "--header=X-Gate:1"];
    const last = [...headers, "--check-limits", "--report", "junit=a=b.xml", "--report", "json=c"];
    expect(parseArguments([url, ...args, ...more, ...last], { CHAIN_API_KEY: "other" })).toEqual({
      command: "service",
      options: {
        ...{
          baseUrl: url,
          profile: "live",
          apiKey: "k",
          headers: { Authorization: "Bearer a", "X-Gate": "1" },
          only: ["lookupBlock", "getConsensusBlock", "getOutMsgQueueSize"],
        },
        ...{ accounts: [account], timeout: 500, seed: 7, fuzz: 3, requestsPerSecond: 2.5, checkLimits: true },
      },
      reports: [
        { form: "junit", file: "a=b.xml" },
        { form: "json", file: "c" },
      ],
    });
    expect(parseArguments([url], { CHAIN_API_KEY: "k", CHAIN_HEADER: "A: b c" })).toMatchObject({
      options: { apiKey: "k", headers: { A: "b c" } },
    });
  });

  test("reads the options of recorded bodies", () => {
    expect(parseArguments(["bodies", "dir", "--json", "--report", "json=x"])).toEqual({
      ...{ command: "bodies", folder: "dir", json: true, reports: [{ form: "json", file: "x" }] },
    });
  });

  test.each([
    [[], "<baseUrl>: missing; usage: chain-query-conformance <baseUrl> [options], or chain-query-conformance bodies <folder>"],
    [["bodies"], "<folder>: missing; usage: chain-query-conformance bodies <folder> [options]"],
    [["bodies", "a", "--xml"], "--xml: not an option of chain-query-conformance bodies; expected --json, --report or --help"],
    [[url, "--json"], "--json: not an option of chain-query-conformance; expected --profile"],
    [["validate", "dir"], '"validate" is not a base URL'],
    [["ftp://host"], '"ftp://host" is not a base URL'],
    [["http://me:s3cret@host"], "the given URL has a user name or a password"],
    [["http://host:s3cret@y:z"], "is not a base URL"],
    [["http://host?key=s3cret"], "the given URL has a query"],
    [["http://host/#s3cret"], "the given URL has a fragment"],
    [[url, "--header", "s3cret"], "--header: expected a name, a colon and a value"],
    [[url, "--header", "A: s3cret\n"], "--header: expected a name, a colon and a value"],
    [[url, "--header", "X-Api-Key: s3cret"], "--header: the key goes with --api-key or CHAIN_API_KEY"],
    [[url, "--profile", "all"], '--profile: expected examples or live, got "all"'],
    [[url, "--only", "getBlock"], "--only: expected getAddressInformation, "],
    [[url, "--profile", "live", "--account", "me"], "--account: expected an address in raw form"],
    [[url, "--account", `-1:${"5".repeat(64)}`], "--account: only with --profile live"],
    [[url, "--timeout", "0"], '--timeout: expected a number from 0.001 to 3600, got "0"'],
    [[url, "--seed", "-1"], '--seed: expected a whole number from 0 to 2147483647, got "-1"'],
    [[url, "--requests-per-second", "x"], '--requests-per-second: expected a number from 0 to 100000, got "x"'],
    [[url, "--report", "pdf=x"], '--report: expected <form>=<file>, where form is junit, json, got "pdf=x"'],
    [[url, "--api-key", ""], "--api-key: expected visible ASCII characters"],
    [[url, "--api-key", "s3cret key"], "--api-key: expected visible ASCII characters"],
  ])("rejects %j", (args, problem) => {
    try {
      parseArguments(args);
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof CommandLineError)) throw error;
      expect(error.problems[0]).toContain(problem);
      expect(error.message).not.toContain("s3cret");
    }
  });

  test("has a help that fits a screen", () => {
    const parsed = parseArguments(["--help"]);
    const lines = "text" in parsed ? parsed.text.split("\n") : [];
    expect(lines.length).toBeLessThanOrEqual(24);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });
});
