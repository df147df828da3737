/** Starts service, mock and docs, and stops them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@chain-query/client";
import { UserError } from "@chain-query/command-line";
import { serveDocs } from "@chain-query/docs/serve";
import { SCENARIO_STEPS } from "@chain-query/local-chain/scenario";
import { startMock } from "@chain-query/mock";
import { parseServeOptions, serve } from "@chain-query/server";

/** Ports to listen on; 0 takes a free one. */
interface Ports {
  readonly service: number;
  readonly mock: number;
  readonly docs: number;
}

/** The base URLs of the three. */
interface Running {
  readonly service: string;
  readonly mock: string;
  readonly docs: string;
  /** Stops all three and removes the folder of the chain. */
  close(): Promise<void>;
}

/**
 * Starts all three. The service makes a new chain, which begins with the blocks of the contract's examples, so that the docs' examples
 * can be requested from it. Resolves when their accounts exist.
 *
 * @throws UserError if `stop` aborts before all three run.
 */
export async function startServices(ports: Ports, stop: AbortSignal): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-start-"));
  const closers = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };
  const started = <Server extends { readonly url: string; close(): Promise<void> }>(server: Server): string => {
    closers.push(() => server.close());
    return server.url;
  };
  try {
    const mock = started(await startMock({ port: ports.mock }));
    const service = started(await serve(serviceOptions(ports.service, join(folder, "chain")), stop));
    await examplesAreReady(service, stop);
    const docs = started(await serveDocs({ port: ports.docs, service }));
    return { service, mock, docs, close };
  } catch (error) {
    await close();
    throw stop.aborted ? new UserError("interrupted") : error;
  }
}

function serviceOptions(port: number, chain: string): Parameters<typeof serve>[0] {
  const flags = [`--port=${port}`, `--chain=${chain}`, "--block-interval=3s", "--keyless-rate=0", "--log-level=silent"];
  return parseServeOptions(flags, {});
}

/** The service answers from its first block on, and makes the others of the examples in a few seconds. */
async function examplesAreReady(service: string, stop: AbortSignal): Promise<void> {
  const chain = createClient({ baseUrl: service, rateLimit: false });
  while ((await chain.getMasterchainInfo()).last.seqno < SCENARIO_STEPS.head) await sleep(50, undefined, { signal: stop });
}
