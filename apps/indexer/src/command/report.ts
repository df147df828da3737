import { type StatusLine, statusLine, type Terminal } from "@chain-query/command-line";
import type { LiteEventLine } from "@chain-query/lite";
import type { FallingBehind, IndexerState } from "../monitor.ts";

/** Seconds between two progress lines of a log. */
const LOG_INTERVAL = 60;

/** The numbers of levels in a log. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const;

/** Shows the progress of an indexer. */
export interface Report {
  /** Call it about once a second. */
  show(state: IndexerState, text?: string): void;
  /** Writes one line. */
  say(text: string): void;
  /** Writes one line about the servers of the source. */
  readonly line: (line: LiteEventLine) => void;
  /** On a terminal, the progress of the source in place of the state, until it is cleared. */
  readonly progress: StatusLine;
  clear(): void;
}

/**
 * Writes to a terminal a status line, and a line above it for each change of the phase. Writes elsewhere JSON lines: one for each change of the
 * phase, and one per minute.
 */
export function reportOn(stream: Terminal["stderr"], now: () => Date = () => new Date()): Report {
  const line = statusLine(stream);
  let last = "";
  let loggedAt = 0;
  let progress: string | undefined;

  const write = (level: number, text: string, fields: object): void => {
    line.clear();
    const entry = { level, time: now().getTime(), source: "indexer", ...fields, msg: text };
    stream.write(stream.isTTY ? `${text}\n` : `${JSON.stringify(entry)}\n`);
  };

  return {
    show: (state, text = describe(state)) => {
      const { phase, reason, fallsBehind } = state;
      const isProblem = phase === "waiting" || fallsBehind !== undefined;
      const current = `${phase} ${withoutNumbers(reason)} ${fallsBehind !== undefined} ${fallsBehind?.queries !== undefined}`;
      const isDue = !stream.isTTY && now().getTime() - loggedAt >= LOG_INTERVAL * 1000;
      if (current !== last || isDue) {
        write(isProblem ? 40 : 30, text, fieldsOf(state));
        loggedAt = now().getTime();
      }
      last = current;
      line.show(progress ?? text);
    },
    say: (text) => write(30, text, {}),
    line: ({ level, message, details }) => {
      const isShown = level !== "info" || !stream.isTTY;
      const named = stream.isTTY && "server" in details ? `${message}: ${details["server"]}` : message;
      if (isShown) write(LEVELS[level], named, details);
    },
    progress: {
      show: (text) => {
        progress = text;
        line.show(text);
      },
      clear: () => {
        progress = undefined;
      },
    },
    clear: line.clear,
  };
}

/** Removes the numbers, so that a repeated problem is written once. */
function withoutNumbers(reason = ""): string {
  return reason.replaceAll(/\d+/g, "");
}

/** One line about an indexer, such as `step 1200 of 5000, 8431 transactions/s, about 2 min left`. */
export function describe(state: IndexerState): string {
  const { phase, reason, head, newest, transactionsPerSecond, secondsLeft } = state;
  const at = head === undefined ? "" : `step ${head}`;
  const speed = `${Math.round(transactionsPerSecond)} transactions/s`;
  switch (phase) {
    case "starting":
      return "starting: opening the chain and the database";
    case "standby":
      return `standby: ${reason}`;
    case "waiting":
      return `${at === "" ? "" : `${at}, `}waiting: ${reason}`;
    case "following":
      return `${at}, the newest; ${speed}${queriesOf(state)}`;
    case "indexing":
      return `${at} of ${newest}, ${speed}${secondsLeft === undefined ? "" : `, about ${spanOf(secondsLeft)} left`}${queriesOf(state)}${slowness(state)}`;
  }
}

/**
 * One line about steps that are added before the first one of an index, such as `step 237 of the chain, 13 of 249 steps are added`.
 *
 * @param state - Its head is the number of added steps, and its newest step the number of those to add.
 * @param begin - The first step of the index before.
 */
export function describeExtension(state: IndexerState, begin: number | undefined): string {
  const { phase, head: added, newest: all, transactionsPerSecond, secondsLeft } = state;
  if (begin === undefined || added === undefined || all === undefined || (phase !== "indexing" && phase !== "following"))
    return describe({ ...state, ...(begin !== undefined && added !== undefined && { head: begin - added }) });
  if (all === 0) return nothingToDo(begin);
  const left = secondsLeft === undefined ? "" : `, about ${spanOf(secondsLeft)} left`;
  const speed = `${Math.round(transactionsPerSecond)} transactions/s`;
  return `step ${begin - added} of the chain, ${added} of ${all} steps are added, ${speed}${left}${queriesOf(state)}`;
}

/** The message of a backfill whose steps are in the index. */
export function nothingToDo(begin: number): string {
  return begin === 0 ? "nothing to do: the index has the whole chain" : `nothing to do: the index begins at step ${begin}`;
}

function queriesOf({ queriesPerStep, queriesPerAccount }: IndexerState): string {
  if (queriesPerStep === undefined) return "";
  const ofAccounts = queriesPerAccount === undefined ? "" : `, ${queriesPerAccount.toFixed(2)}/account`;
  return `, ${queriesPerStep.toFixed(1)} queries/step${ofAccounts}`;
}

function slowness({ fallsBehind, stepsPerSecond }: IndexerState): string {
  if (fallsBehind === undefined) return "";
  const { steps, seconds, chainStepsPerSecond, queries } = fallsBehind;
  const speeds = `the chain makes ${chainStepsPerSecond.toFixed(1)} steps/s, the index gets ${stepsPerSecond.toFixed(1)}`;
  return `; falls behind by ${steps} steps, ${spanOf(seconds)}: ${speeds}${queries === undefined ? "" : rateOf(queries)}`;
}

function rateOf({ needed, sent, limit }: NonNullable<FallingBehind["queries"]>): string {
  const [need, make] = [Math.ceil(needed), Math.round(sent)];
  return `; needs ${need} queries/s, sends ${make} of at most ${limit}: add lite servers or raise --lite-rate`;
}

/** The state of an indexer for other processes, as JSON. */
export function stateText(state: IndexerState): string {
  return JSON.stringify({ ...fieldsOf(state), msg: describe(state) });
}

function fieldsOf({ reason: _, stepsPerSecond, transactionsPerSecond, secondsLeft, ...state }: IndexerState): object {
  return {
    ...state,
    transactionsPerSecond: Math.round(transactionsPerSecond),
    ...(secondsLeft !== undefined && { secondsLeft: Math.round(secondsLeft) }),
  };
}

/** A time span in the unit that has two digits or fewer: `45 s`, `12 min`, `3 h`, `5 days`. */
export function spanOf(seconds: number): string {
  if (seconds < 99.5) return `${Math.ceil(seconds)} s`;
  if (seconds < 99.5 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 72 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** How long ago a time in Unix seconds was. */
export function ageOf(time: number): string {
  const seconds = Date.now() / 1000 - time;
  return seconds < 0 ? `${spanOf(-seconds)} ahead of the clock` : `${spanOf(seconds)} ago`;
}
