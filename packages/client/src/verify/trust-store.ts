/** What an app trusts: the network, its newest known key block, and the newest head that validators signed. */
import { base64, type Cell } from "@chain-query/format/cells";
import { type BlockId, isSameBlock, MASTERCHAIN } from "@chain-query/format/identifiers";
import type { ProvedStateBlock } from "@chain-query/proof/blocks";
import type { ChainClient } from "../client.ts";
import type { CallOptions } from "../options.ts";
import { ask } from "./ask.ts";
import { type ClaimedHead, readConfig, readHead, requireSignatures } from "./head.ts";
import { ensure, ProofError } from "./proof-error.ts";
import { arrayOf, bytesOf, objectOf } from "./untrusted.ts";

/**
 * The identity of a network, from a source that you trust: its documentation or your own node.
 *
 * @example
 * ```ts
 * const network: Network = { name: "local", globalId: 1001, zeroState: { rootHash, fileHash } };
 * ```
 */
export interface Network {
  /** The name in the `@type` of block ids: `local` of `local.blockIdExt`. */
  readonly name: string;
  /** The `global_id` in its blocks. */
  readonly globalId: number;
  /** The hashes of the masterchain's zero state in base64: the `init` of `getMasterchainInfo`. */
  readonly zeroState: { readonly rootHash: string; readonly fileHash: string };
}

/**
 * A key block, whose configuration names validators. It is plain JSON, so that you can store it.
 *
 * @example
 * ```ts
 * const keyBlock: KeyBlock = { seqno: 95424597, rootHash, fileHash, time: 1779000000 }; // in the build of the app
 * ```
 */
export interface KeyBlock {
  /** 0 for the zero state. */
  readonly seqno: number;
  /** In base64. */
  readonly rootHash: string;
  /** In base64. */
  readonly fileHash: string;
  /** When the block was made, in Unix seconds. */
  readonly time: number;
  /** Number of hard forks before it; absent if it is not known. */
  readonly verticalSeqno?: number;
}

/**
 * Options of a trust store.
 *
 * @example
 * ```ts
 * const options: TrustOptions = { network, keyBlock, save: (keyBlock) => localStorage.setItem("key", JSON.stringify(keyBlock)) };
 * ```
 */
export interface TrustOptions {
  readonly network: Network;
  /** The newest key block that you trust. */
  readonly keyBlock: KeyBlock;
  /** Stores a newer key block, from which the app begins next time. Awaited. */
  readonly save?: ((keyBlock: KeyBlock) => void | Promise<void>) | undefined;
  /**
   * Age of the key block above which nothing is believed, in seconds or as `30d`. 30 days by default: former validators, whose keys may be
   * stolen, can sign another chain from an old key block.
   */
  readonly maxTrustAge?: number | `${number}d` | undefined;
  /** Age of the head above which no answer is believed, in seconds. 60 by default. */
  readonly maxHeadAge?: number | undefined;
  /** The clock, in milliseconds. `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/**
 * A masterchain block that validators signed.
 *
 * @example
 * ```ts
 * const text = ({ seqno, time }: VerifiedHead) => `verified as of block ${seqno}, ${Math.round(Date.now() / 1000 - time)} s ago`;
 * ```
 */
export interface VerifiedHead {
  readonly seqno: number;
  /** Unix seconds. */
  readonly time: number;
}

/**
 * Keeps the trust of an app in one network. Several verifying clients may share it.
 *
 * @example
 * ```ts
 * const trust = trustStore({ network, keyBlock, save });
 * await trust.advance(client);
 * ```
 */
export interface TrustStore {
  /** The newest key block so far. */
  readonly keyBlock: KeyBlock;
  /** The newest head so far. */
  readonly head: VerifiedHead | undefined;
  /**
   * Moves the trust forward, from key block to key block, to the head of the deployment: at most 16 links a request. `save` receives each
   * key block. Clients do it by themselves when they need it; call it first to show progress.
   *
   * @throws ProofError if a link is wrong; the errors of `client`.
   */
  advance(client: ChainClient, options?: CallOptions): Promise<void>;
}

/** The trust store as the client of this package uses it. */
export interface Trust extends TrustStore {
  readonly network: Network;
  readonly zeroState: BlockId;
  /** The newest verified head, whose age is allowed. */
  current(): ProvedStateBlock | undefined;
  /**
   * Verifies the head of an answer.
   *
   * @param least - The newest head when the request was sent: an answer is not as of an older one.
   */
  accept(value: unknown, least: number, client: ChainClient, options: CallOptions | undefined): Promise<ProvedStateBlock>;
  /** Throws if a head is too old, or later than now. */
  requireAge(head: ProvedStateBlock): void;
}

const MAX_LINKS = 16;

/**
 * Creates a trust store. It sends nothing.
 *
 * @example
 * ```ts
 * const trust = trustStore({ network, keyBlock, save, maxTrustAge: "30d", maxHeadAge: 60 });
 * const chain = verifying(client, { trust });
 * ```
 */
export function trustStore(options: TrustOptions): TrustStore {
  const { network, save, maxTrustAge = "30d", maxHeadAge = 60, now = Date.now } = options;
  const longestTrust = typeof maxTrustAge === "number" ? maxTrustAge : 86_400 * Number.parseFloat(maxTrustAge);
  const idOf = (seqno: number, { rootHash, fileHash }: { readonly rootHash: string; readonly fileHash: string }): BlockId => ({
    ...{ ...MASTERCHAIN, seqno },
    ...{ rootHash: bytesOf(rootHash, "rootHash", 32), fileHash: bytesOf(fileHash, "fileHash", 32) },
  });
  let keyBlock = options.keyBlock;
  let keyId = idOf(keyBlock.seqno, keyBlock);
  /** The configuration of the key block; undefined until a link has shown it. */
  let config: Cell | undefined;
  let head: ProvedStateBlock | undefined;
  let fork: ProofError | undefined;
  let working: Promise<unknown> = Promise.resolve();

  const ageOf = (time: number) => Math.floor(now() / 1000) - time;

  function requireAge({ time, id }: ProvedStateBlock): void {
    const age = ageOf(time);
    const isInRange = age <= maxHeadAge && age >= -maxHeadAge;
    ensure(isInRange, "age", `block ${id.seqno} is ${age} s old by the clock of this device, expected at most ${maxHeadAge}`);
  }

  /** Checks a head against the key block before it, whose configuration must be known unless the head is that block. */
  async function verify(claimed: ClaimedHead): Promise<void> {
    const { header } = claimed;
    const { id } = claimed.block;
    if (fork) throw fork;
    ensure(header.globalId === network.globalId, "head", `the network must be ${network.globalId}, got ${header.globalId}`);
    const expected = keyBlock.verticalSeqno ?? header.verticalSeqno;
    const isSameFork = header.verticalSeqno === expected;
    ensure(
      isSameFork,
      "unsupported",
      `a hard fork: vertical seqno ${header.verticalSeqno} after ${expected}; the app needs a newer key block`,
    );
    const age = ageOf(keyBlock.time);
    ensure(age <= longestTrust, "age", `key block ${keyBlock.seqno} is ${age} s old, expected at most ${longestTrust}`);
    if (id.seqno === keyBlock.seqno) {
      ensure(isSameBlock(id, keyId), "fork", `key block ${id.seqno} is another one`);
      return;
    }
    const follows = header.previousKeySeqno;
    ensure(id.seqno > keyBlock.seqno, "head", `block ${id.seqno} is older than key block ${keyBlock.seqno}`);
    ensure(follows === keyBlock.seqno, "head", `block ${id.seqno} follows key block ${follows}, expected ${keyBlock.seqno}`);
    ensure(config !== undefined, "missing", `the configuration of key block ${keyBlock.seqno} is not known`);
    await requireSignatures(claimed, keyId, config);
  }

  /** Keeps a verified head, if it is a newer one. */
  function keep(verified: ProvedStateBlock): ProvedStateBlock {
    if (head?.id.seqno === verified.id.seqno && !isSameBlock(head.id, verified.id)) {
      fork = new ProofError("fork", `validators signed two blocks ${head.id.seqno}: ${hashOf(head)} and ${hashOf(verified)}`);
      throw fork;
    }
    if (verified.id.seqno > (head?.id.seqno ?? -1)) head = verified;
    return verified;
  }

  async function trustKeyBlock({ block: { id, time }, header: { verticalSeqno } }: ClaimedHead): Promise<void> {
    const hashes = { rootHash: base64(id.rootHash), fileHash: base64(id.fileHash) };
    keyId = id;
    keyBlock = { seqno: id.seqno, ...hashes, time, verticalSeqno };
    config = undefined;
    await save?.(keyBlock);
  }

  /** @returns Whether the link leads to a key block. */
  async function followLink(value: unknown, path: string): Promise<boolean> {
    const link = objectOf(value, path);
    const next = readHead(link["head"], `${path}.head`);
    config = readConfig(keyId, link["config"], `${path}.config`);
    await verify(next);
    keep(next.block);
    if (next.header.isKey) await trustKeyBlock(next);
    return next.header.isKey;
  }

  async function followLinks(client: ChainClient, callOptions: CallOptions | undefined): Promise<void> {
    for (;;) {
      const prefer = `proof; key=${keyBlock.seqno}`;
      const { proof } = await ask(client, "getMasterchainInfo", undefined, { prefer }, callOptions);
      ensure(proof !== undefined, "missing", "the deployment gives no proofs");
      const links = arrayOf(proof["links"], MAX_LINKS, "proof.links");
      let isKey = false;
      for (const [i, link] of links.entries()) {
        callOptions?.signal?.throwIfAborted();
        isKey = await followLink(link, `proof.links.${i}`);
      }
      if (links.length < MAX_LINKS || !isKey) return;
    }
  }

  /** One after another, so that two answers with a new key block read the links once. */
  function advance(client: ChainClient, callOptions?: CallOptions, isNeeded = () => true): Promise<void> {
    const work = working.then(() => (isNeeded() ? followLinks(client, callOptions) : undefined));
    working = work.catch(() => {});
    return work;
  }

  const trust: Trust = {
    network,
    zeroState: idOf(0, network.zeroState),
    get keyBlock() {
      return keyBlock;
    },
    get head() {
      return head && { seqno: head.id.seqno, time: head.time };
    },
    current: () => (head && Math.abs(ageOf(head.time)) <= maxHeadAge ? head : undefined),
    advance: (client, callOptions) => advance(client, callOptions),
    requireAge,
    accept: async (value, least, client, callOptions) => {
      const claimed = readHead(value, "proof.head");
      const { header, block } = claimed;
      const { seqno } = block.id;
      ensure(seqno >= least, "head", `expected block ${least} or later, got ${seqno}`);
      const isBeyond = () => header.previousKeySeqno > keyBlock.seqno || (config === undefined && seqno !== keyBlock.seqno);
      if (isBeyond()) await advance(client, callOptions, isBeyond);
      await verify(claimed);
      requireAge(block);
      return keep(block);
    },
  };
  return trust;
}

function hashOf({ id }: ProvedStateBlock): string {
  return base64(id.rootHash);
}
