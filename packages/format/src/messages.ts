export { type Comment, commentOf } from "./decode/comment.ts";
export { type DecodedMessage, decodeMessage, readStateInit } from "./decode/message.ts";
export { type MessageParts, readMessageParts } from "./state/message-parts.ts";
