import { expect, test } from "vitest";
import { stateFolder } from "../src/index.ts";

test.each([
  ["of the service manager", "linux", { STATE_DIRECTORY: "/var/lib/chain-query", HOME: "/root" }, "/var/lib/chain-query"],
  ["the first one of the service manager", "linux", { STATE_DIRECTORY: "/var/lib/one:/var/lib/two" }, "/var/lib/one"],
  ["of the user", "linux", { XDG_STATE_HOME: "/state", HOME: "/home/ann" }, "/state/chain-query"],
  ["below the home", "linux", { XDG_STATE_HOME: "not-absolute", HOME: "/home/ann" }, "/home/ann/.local/state/chain-query"],
  ["of macOS", "darwin", { HOME: "/Users/ann" }, "/Users/ann/Library/Application Support/chain-query"],
  ["of Windows", "win32", { LOCALAPPDATA: "/local" }, "/local/chain-query"],
] as const)("the state folder is that %s", (_, platform, environment, folder) => {
  expect(stateFolder(environment, platform)).toBe(folder);
});
