/** Service, mock and docs, each on its port, and their end. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveDocs } from "@chain-query/docs/serve";
import { tellStory } from "@chain-query/local-chain/story";
import { startMock } from "@chain-query/mock";
import { parseServeOptions, serve } from "@chain-query/server";
import { UsageError } from "../workspace/command.ts";

/** Ports to listen on; 0 takes a free one. */
export interface Ports {
  readonly service: number;
  readonly mock: number;
  readonly docs: number;
}

/** Base URLs of what runs. */
export interface Running {
  readonly service: string;
  readonly mock: string;
  readonly docs: string;
  /** Ends all of it, and takes the chain's folder away. */
  close(): Promise<void>;
}

/**
 * Starts all three, on ports that have been found free. The service answers from the chain that the contract's examples tell of, and goes on making its blocks, so that
 * what the docs show can be asked of it.
 *
 * @throws UsageError where it is stopped before all of it runs.
 */
export async function startAll(ports: Ports, stop: AbortSignal): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-start-"));
  const endings = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  const started = <Server extends { readonly url: string; close(): Promise<void> }>(server: Server): string => {
    endings.push(() => server.close());
    return server.url;
  };
  try {
    const mock = started(await startMock({ port: ports.mock }));
    const chain = join(folder, "chain");
    await tellStory(chain, async () => stop.throwIfAborted());
    const service = started(await serve(serviceOptions(ports.service, chain)));
    const docs = started(await serveDocs({ port: ports.docs, service }));
    return { service, mock, docs, close };
  } catch (error) {
    await close();
    throw stop.aborted ? new UsageError("interrupted") : error;
  }
}

/** The story lies months back, so the service is told to keep more than the usual two days at hand. */
function serviceOptions(port: number, chain: string): Parameters<typeof serve>[0] {
  return parseServeOptions(
    [
      `--port=${port}`,
      `--chain=${chain}`,
      "--block-interval=3s",
      "--keyless-rate=0",
      "--retention=36500d",
      "--log-level=silent",
    ],
    {},
  );
}
