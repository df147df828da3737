/** The environment of the user, without what package managers set for the script that runs now. */
import { delimiter, dirname } from "node:path";

/** Variables of a script run. Registry, proxy and certificates belong to the machine and stay. */
const ofARun =
  /^(npm_(?!config_).*|npm_config_(local_prefix|global_prefix|prefix|npm_version|node_gyp|user_agent|init_module)|pnpm_(script_src_dir|config_verify_deps_before_run|package_name)|node_path|init_cwd|vitest.*)$/i;

/** An environment that does not find the commands of the workspace; its Node.js comes first. */
export function machineEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const path = (env["PATH"] ?? "").split(delimiter).filter((entry) => !/\bnode_modules\b/.test(entry));
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !ofARun.test(name))),
    PATH: [dirname(process.execPath), ...path].join(delimiter),
    DO_NOT_TRACK: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    REDOCLY_TELEMETRY: "off",
    CI: "true",
  };
}
