/** Answers every request with a fixed text by its method, in a process of its own so that its work is not measured. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [get = "", post = ""] = process.argv.slice(2);
const server = createServer((request, response) => {
  const text = request.method === "GET" ? get : post;
  request.resume().once("end", () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
// The parent may end without stopping this process.
process.once("disconnect", () => process.exit());
