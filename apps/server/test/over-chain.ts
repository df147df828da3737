/** What most test files need: a service for all of their tests, and the chain that it answers from. */
import { afterAll, beforeAll } from "vitest";
import { type KnownChain, openKnownChain } from "./known.ts";
import { startService, type TestService } from "./service.ts";

export interface OverChain {
  readonly url: string;
  readonly chain: KnownChain;
}

/** Starts a service before the tests of a file and ends it after them. Its members are there while they run. */
export function overChain(): OverChain {
  let service: TestService | undefined;
  let chain: KnownChain | undefined;
  beforeAll(async () => {
    service = await startService();
    chain = openKnownChain();
  });
  afterAll(async () => {
    await chain?.reader.close();
    await service?.[Symbol.asyncDispose]();
  });
  return {
    get url() {
      return running(service).url;
    },
    get chain() {
      return running(chain);
    },
  };
}

function running<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("it runs only while the tests do");
  return part;
}
