/** The results of a test run, and the lines that it ends with. */
import { readFileSync } from "node:fs";

/** A test file, and how long it took. */
interface TestFile {
  readonly path: string;
  readonly seconds: number;
}

/** A skipped test and the reason, a failed one, or a file that failed as a whole. */
export interface NamedTest {
  readonly path: string;
  /** Of the test and its suites, separated by " > ". Absent for a whole file. */
  readonly name?: string;
  readonly reason?: string;
}

/** The results of some tests. */
export interface TestResults {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly files: readonly TestFile[];
  readonly skips: readonly NamedTest[];
  readonly failures: readonly NamedTest[];
}

/** The results of no tests. */
export const noResults: TestResults = { passed: 0, failed: 0, skipped: 0, files: [], skips: [], failures: [] };

/** Adds up results. */
export function total(all: readonly TestResults[]): TestResults {
  return all.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
      files: [...sum.files, ...one.files],
      skips: [...sum.skips, ...one.skips],
      failures: [...sum.failures, ...one.failures],
    }),
    noResults,
  );
}

/** What a machine of CI may lack. Other skips are failures there: a test that never runs protects nothing. */
const MAY_BE_ABSENT = /no recorded data|no go\b/;

/** Counts skipped tests as failed ones, unless they name something that CI may lack. */
export function refuseSkips(results: TestResults): TestResults {
  const refused = results.skips.filter(({ name, reason }) => !MAY_BE_ABSENT.test(`${name} ${reason}`));
  return {
    ...results,
    failed: results.failed + refused.length,
    skipped: results.skipped - refused.length,
    failures: [...results.failures, ...refused],
  };
}

/** Reads the closing line in the output of a command. A failed command counts as one failure at least. */
export function countsIn(job: { readonly name: string; readonly code: number; readonly output: string }): TestResults {
  const { name, code, output } = job;
  const [, passed, failed, skipped] = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(output) ?? [];
  const counted = Number(failed ?? 0);
  return {
    ...noResults,
    passed: Number(passed ?? 0),
    failed: code !== 0 && counted === 0 ? 1 : counted,
    skipped: Number(skipped ?? 0),
    failures: code === 0 ? [] : [{ path: name }],
  };
}

/** The command that runs one test, or one file, alone; undefined if the path is no test file. */
export function commandFor({ path, name }: NamedTest): string | undefined {
  if (!path.endsWith(".ts")) return undefined;
  const tier = /\.(system|long)\.test\.ts$/.exec(path)?.[1] ?? "unit";
  const pattern = name?.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const filter = pattern === undefined ? "" : ` --name '^${pattern.replaceAll("'", "'\\''")}$'`;
  return `pnpm test:${tier} --file ${path}${filter}`;
}

/** The skipped tests with their reasons, the failed ones with the commands that run them alone, the ten slowest files, and the cost of the run. */
export function summary({ files, skips, failures }: TestResults, seconds: number): string[] {
  const skipped = skips.map(({ path, name = "", reason }) => `  ${path} > ${name}${reason === undefined ? "" : `: ${reason}`}`);
  const failed = failures.flatMap((test) => {
    const command = commandFor(test);
    return [`  ${[test.path, test.name].filter(Boolean).join(" > ")}`, ...(command === undefined ? [] : [`    ${command}`])];
  });
  const slowest = [...files]
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, 10)
    .map((file) => `${file.seconds.toFixed(1).padStart(7)} s  ${file.path}`);
  const cpu = cpuSeconds();
  return [
    ...(skipped.length > 0 ? ["Skipped tests:", ...skipped] : []),
    ...(slowest.length > 0 ? ["Slowest test files:", ...slowest] : []),
    ...(failed.length > 0 ? ["Failed tests:", ...failed] : []),
    `${clock(seconds)} wall time${cpu === undefined ? "" : `, ${clock(cpu)} CPU time`}`,
  ];
}

/** `1 min 5 s`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** CPU seconds of this process and of those that it waited for; undefined on systems other than Linux. */
function cpuSeconds(): number | undefined {
  try {
    // proc_pid_stat(5): the fields after the name of the program, from the third one on. Ticks are hundredths of a second.
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return undefined;
  }
}

/** The last line of a test run, which `.ci/run` reads. */
export function closingLine({ passed, failed, skipped }: Pick<TestResults, "passed" | "failed" | "skipped">): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
