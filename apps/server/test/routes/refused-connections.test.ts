import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { sendRaw } from "../fixtures/ask.ts";
import { sharedService } from "../fixtures/service.ts";

const service = sharedService();

const lookup = "/api/v2/lookupBlock HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";

describe("a request that is too large", () => {
  test.each([
    ["POST", "lookupBlock"],
    ["GET", "getMasterchainInfo"],
    ["PUT", "nothing"],
  ])("is refused by its declared length, before its body arrives: %s %s", async (method, operation) => {
    const socket = connect(service.port, "127.0.0.1");
    socket.write(`${method} /api/v2/${operation} HTTP/1.1\r\nhost: x\r\ncontent-length: 2000000\r\n\r\n`);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(
      /^HTTP\/1\.1 413 .*\r\nconnection: close\r\n.*"body: too large, at most 65536 bytes are accepted"/is,
    );
    socket.destroy();
  });

  test.each([
    ["body", `POST ${lookup}content-length: 2000000\r\n\r\n${"x".repeat(2_000_000)}`, 413],
    ["chunked body", `POST ${lookup}transfer-encoding: chunked\r\n\r\n1e8480\r\n${"x".repeat(2_000_000)}\r\n0\r\n\r\n`, 413],
    ["head", `GET / HTTP/1.1\r\nhost: x\r\n${`x: ${"x".repeat(1000)}\r\n`.repeat(2000)}\r\n`, 431],
  ])("is answered after its whole %s is sent", async (_, request, status) => {
    expect(await sendRaw(service.port, request)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test.each([
    ["body", `POST ${lookup}content-length: 100000000\r\n\r\n`],
    ["head", `GET / HTTP/1.1\r\nhost: x\r\n${"x: x\r\n".repeat(10_000)}`],
  ])("is not read to its end: %s", async (_, head) => {
    const socket = connect(service.port, "127.0.0.1").on("error", () => {});
    socket.resume().write(head);
    const block = Buffer.alloc(2 ** 20, "x");
    for (let sent = 0; sent < 100 && !socket.destroyed; sent++) {
      if (!socket.write(block)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
    }
    expect(socket.destroyed).toBe(true);
    expect(socket.bytesWritten).toBeLessThan(50 * 2 ** 20);
  });
});
