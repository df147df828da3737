import { homedir } from "node:os";
import { join } from "node:path";

const NAME = "chain-query";

/**
 * The folder for files that must survive a restart: that of the service manager (`STATE_DIRECTORY` of systemd), otherwise `chain-query` in
 * the place of the platform for the user: `XDG_STATE_HOME` or `~/.local/state`, on macOS `~/Library/Application Support`, on Windows
 * `LOCALAPPDATA`.
 */
export function stateFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  // systemd separates several folders with colons.
  const managed = environment["STATE_DIRECTORY"]?.split(platform === "win32" ? ";" : ":")[0];
  if (managed) return managed;
  const xdg = environment["XDG_STATE_HOME"];
  if (xdg?.startsWith("/")) return join(xdg, NAME);
  const home = environment["HOME"] || homedir();
  if (platform === "darwin") return join(home, "Library", "Application Support", NAME);
  if (platform === "win32") return join(environment["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), NAME);
  return join(home, ".local", "state", NAME);
}
