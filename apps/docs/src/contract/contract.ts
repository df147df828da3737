/** What the site itself reads from the contract; everything else is Redoc's to read. */

/** One operation, as far as a list of operations shows it. */
export interface Operation {
  operationId: string;
  summary: string;
  /** The one tag that the operation stands under. */
  tag: string;
}

/** The contract, with the members that the site looks at. */
export interface Contract {
  info: { title: string; summary: string; description: string; version: string };
  servers: Server[];
  paths: Record<string, Record<string, unknown>>;
}

interface Server {
  url: string;
  variables?: Record<string, { default: string }>;
}

const methods = ["get", "post"];

/** Reads the bundled contract, and says which member is missing where one is. */
export function readContract(json: string): Contract {
  const document = members(JSON.parse(json), "the contract");
  const info = members(document["info"], "info");
  const servers = Array.isArray(document["servers"]) ? document["servers"] : [];
  const paths = members(document["paths"], "paths");
  return {
    ...document,
    info: {
      ...info,
      title: text(info["title"], "info.title"),
      summary: text(info["summary"], "info.summary"),
      description: text(info["description"], "info.description"),
      version: text(info["version"], "info.version"),
    },
    servers: servers.map(readServer),
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, members(item, path)])),
  };
}

function readServer(value: unknown): Server {
  const server = members(value, "a server");
  const variables = Object.entries(members(server["variables"] ?? {}, "variables of a server")).map(([name, variable]) => {
    const described = members(variable, name);
    return [name, { ...described, default: text(described["default"], `default of ${name}`) }] as const;
  });
  return { ...server, url: text(server["url"], "url of a server"), variables: Object.fromEntries(variables) };
}

/**
 * Lists the operations in the order of the document.
 *
 * @example
 * operationsOf(contract)[0]?.operationId; // "getAddressInformation"
 */
export function operationsOf(contract: Contract): Operation[] {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => {
        const where = `${method} ${path}`;
        const operation = members(item[method], where);
        const [tag] = Array.isArray(operation["tags"]) ? operation["tags"] : [];
        return {
          operationId: text(operation["operationId"], `operationId of ${where}`),
          summary: text(operation["summary"], `summary of ${where}`),
          tag: text(tag, `first tag of ${where}`),
        };
      }),
  );
}

/**
 * Writes the defaults of the servers' variables into their URLs. Redoc takes a URL that begins with a variable for a relative
 * one, and would show it below the address of the page.
 */
export function withServerDefaults(contract: Contract): Contract {
  const servers = contract.servers.map(({ url, variables = {}, ...rest }) => ({
    ...rest,
    url: url.replace(/\{([^}]+)\}/g, (whole, name: string) => variables[name]?.default ?? whole),
  }));
  return { ...contract, servers };
}

/** Where Redoc's router shows an operation. */
export function routeOf({ tag, operationId }: Pick<Operation, "tag" | "operationId">): string {
  return `#/${tag}/${operationId}`.toLowerCase();
}

function members(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${where} is not an object`);
  return { ...value };
}

function text(value: unknown, where: string): string {
  if (typeof value !== "string") throw new Error(`${where} is not a string`);
  return value;
}
