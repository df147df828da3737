/** The address that the service listens on. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { FastifyInstance } from "fastify";
import { StartError } from "../failure.ts";
import type { ServeOptions } from "../serve-options.ts";

type Address = Pick<ServeOptions, "port" | "host" | "reusePort">;

const listenErrors: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ port, host }) => `port ${port} is in use on ${host}; choose another, or 0 for any free port`,
  EACCES: ({ port }) => `port ${port}: permission denied; choose a port above 1023`,
  EADDRNOTAVAIL: ({ host }) => `host ${JSON.stringify(host)}: not an address of this machine`,
  ENOTFOUND: ({ host }) => `host ${JSON.stringify(host)}: unknown name`,
  EAI_AGAIN: ({ host }) => `host ${JSON.stringify(host)}: name resolution failed, try again later`,
  ENOTSUP: () => "this system cannot share a port; leave out --reuse-port",
  EINVAL: ({ host }) => `host ${JSON.stringify(host)}: not an address`,
};

/** Connections that wait until the process accepts them. With Node's 511, others wait for seconds behind a flood; the system may allow fewer. */
const backlog = 8_192;

/** Listens, and returns the URL. @throws StartError if the address cannot be used. */
export async function listen(app: FastifyInstance, address: Address): Promise<string> {
  try {
    // The type of Fastify lacks `reusePort`, which it passes on.
    const options = { port: address.port, host: address.host, reusePort: address.reusePort ?? false, backlog };
    await app.listen(options);
  } catch (error) {
    throw listenError(error, address);
  }
  return urlOf(app.server.address() as AddressInfo);
}

/** Checks that the service can listen, without doing so. @throws StartError if it cannot. */
export async function checkAddress(address: Address): Promise<void> {
  const server = createServer();
  try {
    server.listen({ port: address.port, host: address.host, reusePort: address.reusePort ?? false });
    await once(server, "listening");
    server.close();
    await once(server, "close");
  } catch (error) {
    throw listenError(error, address);
  }
}

export function listenError(error: unknown, address: Address): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  const message = listenErrors[code]?.(address);
  return message === undefined ? error : new StartError(message);
}

/** Some systems accept connections on wildcard addresses but not to them. */
const callableHosts: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

function urlOf({ address, port }: AddressInfo): string {
  const host = callableHosts[address] ?? address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
