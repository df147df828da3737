/** The environment of whoever rehearses, without what belongs to the run of a script of this workspace. */
import { delimiter, dirname } from "node:path";

/** Set by package managers for the scripts that they run. Registry, proxy, certificates and the like are the machine's and stay. */
const ofARun =
  /^(npm_(?!config_).*|npm_config_(local_prefix|global_prefix|prefix|npm_version|node_gyp|user_agent|init_module)|pnpm_(script_src_dir|config_verify_deps_before_run|package_name)|node_path|init_cwd|vitest.*)$/i;

/** A shell's environment, in which commands of the workspace cannot be found; only its Node.js comes first. */
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
