import type { Socket } from "node:net";
import type { LiteCall } from "../wire/tl/queries.ts";
import type { LiteChain } from "./lite-chain.ts";

/** A call that a behaviour may answer in another way. */
export interface BehavingCall {
  readonly call: LiteCall;
  /** How many calls the server received before this one. */
  readonly index: number;
  /** Aborts when the connection ends. */
  readonly signal: AbortSignal;
  /** The correct answer to any function, in TL. Throws for calls that the server answers with an error. */
  readonly ask: (call: Pick<LiteCall, "name" | "args">) => Uint8Array;
}

/**
 * Changes of a lite server for tests. Each part is optional. With several behaviours, each one changes the result of the one before.
 */
export interface LiteBehaviour {
  /** Replaces the chain that the server reads. */
  readonly chain?: (chain: LiteChain) => LiteChain;
  /** Replaces an answer in TL. A promise that never resolves sends no answer. */
  readonly answer?: (context: BehavingCall, next: () => Promise<Uint8Array>) => Promise<Uint8Array>;
  /** Replaces a frame, with its length and checksum, before it is encrypted. */
  readonly frame?: (frame: Uint8Array) => Uint8Array;
  /** Handles a client's connection in place of the server, to which `connectServer` opens one. */
  readonly connection?: (client: Socket, connectServer: () => Socket) => void;
  /** Whether the port is open; default: true. */
  readonly isListening?: boolean;
}

/**
 * Combines behaviours. Of several `connection` handlers, only the last one is used.
 *
 * @example
 * ```ts
 * const slowAndStale = combine(delay(200), staleHead(30));
 * ```
 */
export function combine(...behaviours: readonly LiteBehaviour[]): LiteBehaviour {
  const connection = behaviours.findLast((behaviour) => behaviour.connection)?.connection;
  return {
    chain: (chain) => behaviours.reduce((changed, behaviour) => behaviour.chain?.(changed) ?? changed, chain),
    answer: (context, next) => {
      const answer = behaviours.reduce((before, behaviour) => {
        const { answer: change } = behaviour;
        return change ? () => change(context, before) : before;
      }, next);
      return answer();
    },
    frame: (frame) => behaviours.reduce((changed, behaviour) => behaviour.frame?.(changed) ?? changed, frame),
    ...(connection && { connection }),
    isListening: behaviours.every((behaviour) => behaviour.isListening !== false),
  };
}
