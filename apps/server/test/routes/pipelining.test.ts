import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { setImmediate as nextTick } from "node:timers/promises";
import { until } from "@chain-query/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import { PipelinedRequests } from "../../src/routes/pipelining.ts";
import { sendRaw } from "../fixtures/ask.ts";
import { sharedService } from "../fixtures/service.ts";

const get = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";
const post = "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}";
const last = "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

describe("pipelined requests", () => {
  let server: Server;
  let client: Socket | undefined;
  /** The server's side of the connection. */
  let received: Socket | undefined;
  let begun = 0;
  let atOnce = 0;
  /** Requests that the parser has read. */
  let parsed = 0;

  const listen = async (bytes: number): Promise<number> => {
    const pipelined = new PipelinedRequests();
    let open = 0;
    [begun, atOnce, parsed] = [0, 0, 0];
    server = createServer((request, response) => {
      parsed++;
      pipelined.enqueue(request, response, () => {
        begun++;
        atOnce = Math.max(atOnce, ++open);
        response.once("close", () => open--);
        request.resume().once("end", () => setImmediate(() => response.end(Buffer.alloc(bytes, `${begun} `))));
      });
    }).listen(0, "127.0.0.1");
    server.on("connection", (socket: Socket) => {
      pipelined.add(socket);
      received = socket;
    });
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  afterEach(() => {
    client?.destroy();
    server.close().closeAllConnections();
  });

  test("are answered one at a time and in order", async () => {
    const answers = await sendRaw(await listen(5), (get + post).repeat(240) + last);
    const numbers = [...answers.matchAll(/\r\n\r\n(\d+) /g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 481 }, (_, index) => index + 1));
    expect(atOnce).toBe(1);
  });

  test("are neither read nor begun while the client does not read", async () => {
    client = connect({ port: await listen(8 * 2 ** 20), host: "127.0.0.1" }).pause();
    const requests = post.replace("\r\n\r\n", `\r\nx: ${"x".repeat(100)}\r\n\r\n`).repeat(80_000);
    client.write(requests);
    await until(() => received?.isPaused());
    for (let tick = 0; tick < 100; tick++) await nextTick();
    expect(received?.isPaused()).toBe(true);
    expect(begun).toBeLessThan(4);
    expect(client.writableLength).toBeGreaterThan(0);
  });

  test("are parsed only when the ones before are answered, also thousands in one packet", async () => {
    const port = await listen(5);
    const answers = sendRaw(port, get.repeat(3_000) + last);
    const ahead: number[] = [];
    await until(() => {
      ahead.push(parsed - begun);
      return begun === 3_001;
    });
    expect((await answers).match(/HTTP\/1\.1 200/g)).toHaveLength(3_001);
    // A piece has three of these.
    expect(Math.max(...ahead)).toBeLessThanOrEqual(6);
  });

  test("whose responses are not read stay unparsed, and end with their connection", async () => {
    client = connect({ port: await listen(8 * 2 ** 20), host: "127.0.0.1" }).pause();
    client.write(get.repeat(2_000));
    await until(() => received?.isPaused());
    for (let tick = 0; tick < 100; tick++) await nextTick();
    expect([begun, parsed]).toEqual([1, expect.toSatisfy((count) => count <= 6)]);
    expect(received?.readableLength).toBeGreaterThan(1_900 * get.length);
    client.destroy();
    await until(() => received?.destroyed);
    expect(parsed).toBeLessThanOrEqual(6);
  });

  test("are read in pieces of any size, with bodies that look like headers", async () => {
    const body = "\r\n\r\n".repeat(100);
    const request = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const socket = connect({ port: await listen(5), host: "127.0.0.1" }).setNoDelay();
    const answers = text(socket);
    const sent = request + get + request + last;
    for (let from = 0; from < sent.length; from += 37) {
      socket.write(sent.slice(from, from + 37));
      await nextTick();
    }
    expect((await answers).match(/HTTP\/1\.1 200/g)).toHaveLength(4);
  });
});

describe("requests of many connections that wait", () => {
  /** Connections whose first request is answered, with one that waits. */
  const waitOn = (pipelined: PipelinedRequests, count: number): { readonly begun: () => number } => {
    let begun = 0;
    for (let index = 0; index < count; index++) {
      const socket = connectionOf(pipelined);
      const first = new EventEmitter();
      for (const [response, begin] of [
        [first, () => {}],
        [new EventEmitter(), () => begun++],
      ] as const)
        pipelined.enqueue({ socket } as IncomingMessage, response as ServerResponse, begin);
      first.emit("close");
    }
    return { begun: () => begun };
  };
  const connectionOf = (pipelined: PipelinedRequests): Socket => {
    const socket = Object.assign(new PassThrough(), { bytesRead: 0 }) as unknown as Socket;
    pipelined.add(socket);
    return socket;
  };

  test("begin one after another, each in a tick of its own", async () => {
    const pipelined = new PipelinedRequests();
    const { begun } = waitOn(pipelined, 4);
    await nextTick();
    const ticks = [begun()];
    for (let tick = 0; tick < 5; tick++) {
      await nextTick();
      ticks.push(begun());
    }
    expect(ticks).toEqual([0, 1, 2, 3, 4, 4]);
  });

  test("begin in one of sixteen ticks while connections are accepted", async () => {
    const pipelined = new PipelinedRequests();
    const { begun } = waitOn(pipelined, 4);
    for (let tick = 0; tick < 32; tick++) {
      await nextTick();
      connectionOf(pipelined);
    }
    expect(begun()).toBe(2);
  });
});

describe("a client that ends its side of the connection after its requests", () => {
  const service = sharedService();

  test("gets all responses", async () => {
    for (const count of [1, 3]) {
      const socket = connect({ port: service.port, host: "127.0.0.1", allowHalfOpen: true });
      socket.end("GET /api/v2/getMasterchainInfo HTTP/1.1\r\nhost: x\r\n\r\n".repeat(count));
      expect((await text(socket)).match(/HTTP\/1\.1 200 /g)).toHaveLength(count);
    }
  });
});

describe("a malformed request", () => {
  const service = sharedService();
  const good = "GET /api/v2/getMasterchainInfo HTTP/1.1\r\nhost: x\r\n\r\n";

  test("is refused after the responses to the requests before it", async () => {
    const answers = await sendRaw(service.port, `${good}${good}\u0001x\r\n\r\n`);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 422"]);
    expect(answers.match(/"ok":\w+/g)).toEqual(['"ok":true', '"ok":true', '"ok":false']);
  });

  test("gets one response if its body is malformed and not needed", async () => {
    for (const path of ["/api/v2/getMasterchainInfo", "/healthz"]) {
      const answers = await sendRaw(
        service.port,
        `GET ${path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n`,
      );
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
    }
  });

  test("is refused if its body is malformed", async () => {
    const head =
      "POST /api/v2/lookupBlock HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    for (const requests of [head, good + head]) {
      const answers = await sendRaw(service.port, `${requests}zz\r\n`);
      expect(answers.match(/HTTP\/1\.1 \d+/g)?.at(-1)).toBe("HTTP/1.1 422");
    }
  });
});
