/** What an app trusts: the network, its newest known key block, and the newest head that validators signed. */
import { base64, type Cell } from "@chain-query/format/cells";
import { isSameBlock } from "@chain-query/format/identifiers";
import type { ProvedStateBlock } from "@chain-query/proof/blocks";
import { openConfig } from "@chain-query/proof/signatures";
import type { Schemas } from "@chain-query/types";
import type { ChainClient } from "../client.ts";
import type { CallOptions } from "../options.ts";
import { ask } from "./ask.ts";
import { rootOf } from "./bags.ts";
import { checked, ensure, ProofError } from "./proof-error.ts";
import { type ClaimedHead, masterchainBlock, readHead, requireSignatures } from "./signed-head.ts";
import type { Trust } from "./trust.ts";
import type { TrustOptions, TrustStore } from "./trust-options.ts";

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
  let { keyBlock } = options;
  let keyId = masterchainBlock(keyBlock.seqno, keyBlock.rootHash, keyBlock.fileHash);
  /** The configuration of the key block, once a link has shown it. */
  let config: Cell | undefined;
  let head: ProvedStateBlock | undefined;
  let fork: ProofError | undefined;
  let working: Promise<unknown> = Promise.resolve();

  const ageOf = (time: number) => Math.floor(now() / 1_000) - time;
  const isRecent = ({ time }: ProvedStateBlock) => Math.abs(ageOf(time)) <= maxHeadAge;

  /** Verifies a head by the key block before it, or as that block, and keeps it. */
  async function verify(claimed: ClaimedHead, by = config): Promise<ProvedStateBlock> {
    requireOneChain();
    const { block, header } = claimed;
    const { id } = block;
    const { verticalSeqno, globalId } = header;
    const age = ageOf(keyBlock.time);
    ensure(globalId === network.globalId, "head", `a block of network ${globalId}`);
    ensure(verticalSeqno === (keyBlock.verticalSeqno ?? verticalSeqno), "unsupported", "a hard fork");
    ensure(
      age <= (typeof maxTrustAge === "number" ? maxTrustAge : 86_400 * Number.parseFloat(maxTrustAge)),
      "age",
      `key block ${keyBlock.seqno} is ${age} s old by this clock`,
    );
    if (id.seqno === keyId.seqno) ensure(isSameBlock(id, keyId), "head", `another key block ${id.seqno}`);
    else {
      ensure(id.seqno > keyId.seqno, "head", `block ${id.seqno} is before key block ${keyId.seqno}`);
      ensure(by, "missing", `no links from key block ${keyId.seqno}`);
      await requireSignatures(claimed, keyId, by);
    }
    if (head?.id.seqno === id.seqno && !isSameBlock(head.id, id))
      fork = new ProofError("fork", `two blocks ${id.seqno}: ${base64(head.id.rootHash)}, ${base64(id.rootHash)}`);
    requireOneChain();
    if (!head || id.seqno > head.id.seqno) head = block;
    return block;
  }

  function requireOneChain(): void {
    if (fork) throw fork;
  }

  /** @returns Whether the link leads to a key block. */
  async function followLink(link: Schemas["ProofLink"]): Promise<boolean> {
    const shown = checked("block", () => openConfig(keyId, rootOf(link.config)));
    const next = readHead(link.head);
    const { id, time } = next.block;
    // The key block itself would pass without signatures.
    ensure(id.seqno > keyId.seqno, "head", `a link to block ${id.seqno}`);
    await verify(next, shown);
    config = shown;
    const { isKey, verticalSeqno } = next.header;
    if (isKey) {
      keyId = id;
      config = undefined;
      keyBlock = { seqno: id.seqno, rootHash: base64(id.rootHash), fileHash: base64(id.fileHash), time, verticalSeqno };
      await save?.(keyBlock);
    }
    return isKey;
  }

  async function followLinks(client: ChainClient, callOptions: CallOptions | undefined): Promise<void> {
    for (let isKey = true, length = MAX_LINKS; isKey && length === MAX_LINKS; ) {
      const prefer = `proof; key=${keyBlock.seqno}`;
      const { envelope } = await ask(client, "getMasterchainInfo", undefined, { prefer }, callOptions);
      const { links, head: claim } = envelope.proof ?? {};
      if (!links && claim) {
        const claimed = readHead(claim);
        ensure(claimed.block.id.seqno === keyId.seqno, "missing", "no links");
        await verify(claimed);
        return;
      }
      ensure(Array.isArray(links) && links[0], "missing", "no links");
      length = links.length;
      ensure(length <= MAX_LINKS, "limit", `more than ${MAX_LINKS} links`);
      for (const link of links) isKey = await followLink(link);
    }
  }

  /** One call after another, so that two answers with a new key block read the links once. None waits longer than its signal. */
  async function advance(client: ChainClient, callOptions?: CallOptions, isNeeded = () => true): Promise<void> {
    const signal = callOptions?.signal;
    const work = working.then(() => (isNeeded() ? followLinks(client, callOptions) : undefined));
    working = work.catch(() => {});
    if (!signal) return work;
    let abort = () => {};
    const aborted = new Promise<unknown>((resolve) => {
      // A call whose signal has aborted sends nothing, and fails as all do.
      abort = () => resolve(ask(client, "getMasterchainInfo", undefined, {}, callOptions));
    });
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    await Promise.race([aborted, work]).finally(() => signal.removeEventListener("abort", abort));
  }

  const trust: Trust = {
    network,
    zeroState: masterchainBlock(0, network.zeroState.rootHash, network.zeroState.fileHash),
    get keyBlock() {
      return keyBlock;
    },
    get head() {
      return head && { seqno: head.id.seqno, time: head.time };
    },
    advance: (client, callOptions) => advance(client, callOptions),
    newest: () => {
      requireOneChain();
      return head;
    },
    isRecent,
    accept: async (claim, before, client, callOptions) => {
      let block = before;
      if (claim) {
        const claimed = readHead(claim);
        const { seqno } = claimed.block.id;
        ensure(seqno >= (before?.id.seqno ?? 0), "head", `block ${seqno} is before ${before?.id.seqno}`);
        const isBeyond = () => claimed.header.previousKeySeqno > keyId.seqno || (!config && seqno !== keyId.seqno);
        if (isBeyond()) await advance(client, callOptions, isBeyond);
        block = await verify(claimed);
      }
      ensure(block, "missing", "no head");
      const { id, time } = block;
      ensure(isRecent(block), "age", `block ${id.seqno} is ${ageOf(time)} s old by this clock`);
      return block;
    },
  };
  return trust;
}
