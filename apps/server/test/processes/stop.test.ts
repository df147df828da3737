import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { temporaryFolder } from "../service.ts";
import { start, until } from "./command.ts";

describe("the end of the service", () => {
  test.each([["1"], ["2"]])("lets what was begun be finished, with %s workers", async (workers) => {
    using folder = temporaryFolder();
    const keys = join(folder.path, "keys");
    const flags = ["--port", "0", "--chain", inject("chain"), "--keys", keys, "--no-produce", "--workers", workers];
    await using command = start(...flags, "--log-level", "silent");
    const { port } = new URL(await command.url);
    const socket = connect(Number(port), "127.0.0.1");
    const closed = once(socket, "close");
    let answer = "";
    socket.setEncoding("utf8").on("data", (text) => {
      answer += text;
    });
    const head = "POST /api/v2/getConsensusBlock HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    socket.write(`${head}content-length: 2\r\nexpect: 100-continue\r\n\r\n`);
    await until(() => answer.startsWith("HTTP/1.1 100 ") || undefined);
    answer = "";
    command.child.kill("SIGTERM");
    await until(async () => {
      // A connection that comes in this very moment may be accepted and answered by nobody.
      const refused = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(300) }).then(
        () => false,
        () => true,
      );
      return refused || undefined;
    });
    socket.write("{}");
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"ok":true');
    expect((await command.ended).code).toBe(0);
  });
});
