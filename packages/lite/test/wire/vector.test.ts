import { createPrivateKey, createPublicKey } from "node:crypto";
import { NO_DATA, recorded } from "@chain-query/testing/recorded";
import { expect, test } from "vitest";
import {
  answerFrame,
  beginFrame,
  endFrame,
  FrameReader,
  MAX_FRAME,
  pingFrame,
  queryFrame,
  readLiteServerQuery,
  readMessage,
} from "../../src/wire/adnl/frames.ts";
import { adnlKey, adnlKeyId, adnlKeyOfScalar, readHandshake, toX25519, writeHandshake } from "../../src/wire/adnl/handshake.ts";
import { queries } from "../../src/wire/tl/queries.ts";

const file = recorded("iroha/adnl-handshake-vector.json");
const vector: Record<string, string> & { server_frame_nonces: string[]; server_frame_payloads: string[] } = JSON.parse(
  file ?? "{}",
);
const bytes = (name: string) => Buffer.from(vector[name] ?? "", "hex");
const [confirmation = "", answer = ""] = vector.server_frame_nonces ?? [];

const keys = () => ({
  server: adnlKey(bytes("server_ed25519_seed")),
  client: adnlKeyOfScalar(bytes("client_ephemeral_scalar"), bytes("client_ed25519_public")),
});
const handshake = () => {
  const { server, client } = keys();
  return writeHandshake(server.publicKey, { key: client, parameters: bytes("handshake_params") });
};

test("the keys of the recorded handshake are computed", ({ skip }) => {
  skip(file === undefined, NO_DATA);
  const { server, client } = keys();
  expect(server.publicKey).toEqual(bytes("server_ed25519_public"));
  expect(adnlKeyId(server.publicKey)).toEqual(bytes("server_key_id"));
  expect(client.agree(server.publicKey)).toEqual(bytes("shared_secret"));
  expect(server.agree(client.publicKey)).toEqual(bytes("shared_secret"));
  const prefix = Buffer.from("302e020100300506032b656e04220420", "hex");
  const own = createPrivateKey({
    key: Buffer.concat([prefix, bytes("client_ephemeral_scalar")]),
    format: "der",
    type: "pkcs8",
  });
  expect(toX25519(client.publicKey)).toEqual(createPublicKey(own).export({ format: "der", type: "spki" }).subarray(-32));
});

test("the client's half of the recorded connection is reproduced", ({ skip }) => {
  skip(file === undefined, NO_DATA);
  const { packet, streams } = handshake();
  expect(packet).toEqual(bytes("handshake_packet"));

  const query = queryFrame(bytes("query_id"), queries.getMasterchainInfo().bytes, bytes("client_frame_nonce"));
  expect(streams.send.update(endFrame(query))).toEqual(bytes("client_frame_encrypted"));
  const ping = pingFrame("ping", 81985529216486895n, bytes("client_ping_nonce"));
  expect(streams.send.update(endFrame(ping))).toEqual(bytes("client_ping_encrypted"));

  const payloads: Uint8Array[] = [];
  const reader = new FrameReader(MAX_FRAME, (payload) => payloads.push(payload));
  reader.push(streams.receive.update(bytes("server_frames_encrypted")));
  expect(payloads.map((payload) => Buffer.from(payload).toString("hex"))).toEqual(vector.server_frame_payloads);
  reader.push(streams.receive.update(bytes("server_pong_encrypted")));
  expect(readMessage(payloads[2] ?? new Uint8Array())).toEqual({ type: "pong", id: 81985529216486895n });

  const message = readMessage(payloads[1] ?? new Uint8Array());
  expect(message).toMatchObject({ type: "answer", id: new Uint8Array(bytes("query_id")) });
  if (message.type === "answer") expect(queries.getMasterchainInfo().read(message.data).last.workchain).toBe(-1);
});

test("the server's half of the recorded connection is reproduced", ({ skip }) => {
  skip(file === undefined, NO_DATA);
  const streams = readHandshake(bytes("handshake_packet"), keys().server);
  const payloads: Uint8Array[] = [];
  const reader = new FrameReader(MAX_FRAME, (payload) => payloads.push(payload));
  reader.push(streams.receive.update(Buffer.concat([bytes("client_frame_encrypted"), bytes("client_ping_encrypted")])));
  const [query, ping] = payloads.map(readMessage);
  expect(query).toMatchObject({ type: "query", id: new Uint8Array(bytes("query_id")) });
  if (query?.type === "query") expect(readLiteServerQuery(query.data)).toEqual(queries.getMasterchainInfo().bytes);
  expect(ping).toEqual({ type: "ping", id: 81985529216486895n });

  const data = readMessage(Buffer.from(vector.server_frame_payloads[1] ?? "", "hex"));
  const frames = [
    beginFrame(0, Buffer.from(confirmation, "hex")),
    answerFrame(bytes("query_id"), data.type === "answer" ? data.data : new Uint8Array(), Buffer.from(answer, "hex")),
  ];
  expect(streams.send.update(Buffer.concat(frames.map(endFrame)))).toEqual(bytes("server_frames_encrypted"));
  const pong = pingFrame("pong", 81985529216486895n, bytes("server_pong_nonce"));
  expect(streams.send.update(endFrame(pong))).toEqual(bytes("server_pong_encrypted"));
});
