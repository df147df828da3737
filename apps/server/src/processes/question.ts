/** Questions from one process to another, over the channel that a parent and its child have. */

/** The other process. */
export interface Peer {
  send?(message: unknown): unknown;
  on(event: "message", hear: (message: unknown) => void): unknown;
  off(event: "message", hear: (message: unknown) => void): unknown;
}

interface Talk {
  readonly kind: "chain-query:question" | "chain-query:answer";
  readonly about: string;
  readonly number: number;
  readonly value?: unknown;
}

let asked = 0;

/**
 * Asks another process. Rejects where it does not answer in time, or cannot.
 *
 * @param about - What is asked for, in a word that both know.
 * @param patience - Milliseconds.
 */
export function ask(peer: Peer, about: string, patience: number): Promise<unknown> {
  const number = ++asked;
  return new Promise((resolve, reject) => {
    const finish = (act: () => void): void => {
      clearTimeout(timer);
      peer.off("message", hear);
      act();
    };
    const hear = (message: unknown): void => {
      if (isTalk(message) && message.kind === "chain-query:answer" && message.about === about && message.number === number) {
        finish(() => resolve(message.value));
      }
    };
    const timer = setTimeout(() => finish(() => reject(new Error(`nobody told ${about} in time`))), patience);
    peer.on("message", hear);
    peer.send?.({ kind: "chain-query:question", about, number } satisfies Talk);
  });
}

/** Answers another process, whenever it asks. What cannot be told is not answered. */
export function answer(peer: Peer, about: string, tell: () => Promise<unknown>): void {
  peer.on("message", (message) => {
    if (!isTalk(message) || message.kind !== "chain-query:question" || message.about !== about) return;
    const { number } = message;
    tell().then(
      (value) => peer.send?.({ kind: "chain-query:answer", about, number, value } satisfies Talk),
      () => {},
    );
  });
}

function isTalk(message: unknown): message is Talk {
  if (typeof message !== "object" || message === null || !("kind" in message)) return false;
  return message.kind === "chain-query:question" || message.kind === "chain-query:answer";
}
