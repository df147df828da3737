/** A plain server in a process of its own, so that its work is not counted: it answers everything with the text it is given. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const text = process.argv[2] ?? "";
const server = createServer((request, answer) => {
  request.resume().once("end", () => {
    answer.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
    answer.end(text);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
// Whoever asked for it may end without a word.
process.once("disconnect", () => process.exit());
