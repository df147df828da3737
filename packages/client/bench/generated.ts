/** Clients that other generators make from the contract, beside the packages of the peers. */
import { createHash } from "node:crypto";
import { access, copyFile, mkdtemp, readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../matrix/command.ts";

/** Generates the clients once for each contract, and resolves to the folder that holds `generated` and `node_modules`. */
export async function generated(peers: string, signal: AbortSignal): Promise<string> {
  const contract = fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json"));
  const hash = createHash("sha256")
    .update(await readFile(contract))
    .digest("hex")
    .slice(0, 12);
  const folder = `${peers}-${hash}`;
  if (
    await access(folder).then(
      () => true,
      () => false,
    )
  )
    return folder;
  const partial = await mkdtemp(`${folder}-partial-`);
  try {
    await copyFile(contract, join(partial, "openapi.json"));
    await symlink(join(peers, "node_modules"), join(partial, "node_modules"));
    const options = { cwd: partial, signal, env: { REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" } };
    const bin = join(peers, "node_modules/.bin");
    await run(
      join(bin, "openapi-ts"),
      ["-i", "openapi.json", "-o", "generated/hey-api", "-c", "@hey-api/client-fetch", "--silent"],
      options,
    );
    await run(join(bin, "redocly"), ["generate-client", "openapi.json", "--output", "generated/redocly.ts"], options);
    await rename(partial, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return folder;
}
