/** Checks requests against the contract and reads their inputs; the rules are generated from it. */
import { readAddress } from "./address.ts";
import { decode } from "./bytes.ts";
import type { InputKind } from "./operation.ts";

/** The rule of one input, with its compiled schema. */
interface InputRule {
  readonly name: string;
  readonly kind: InputKind;
  readonly required: boolean;
  /** Whether the schema accepts a value. */
  readonly accepts: (value: unknown) => boolean;
  /** Description of the accepted values. */
  readonly accepted: string;
  /** Bounds of an integer, both accepted. It is read as a bigint if they are. */
  readonly range?: readonly [least: number, most: number] | readonly [least: bigint, most: bigint];
  /** The value of an absent input, read. */
  readonly default?: unknown;
  /** The one JSON type of an input that is a number or a boolean. */
  readonly type?: "integer" | "boolean";
}

/** Where a request has its inputs; `params` of a call of JSON-RPC. */
export type Place = "query" | "body" | "params";

/** The rules of the requests of one operation. */
export interface RequestRule {
  readonly in: "query" | "body";
  readonly inputs: readonly InputRule[];
  /** Inputs of which a request has exactly one. */
  readonly oneOf: readonly string[];
  /** Inputs that a request has together or not at all. */
  readonly together: readonly string[];
  /** A body that is accepted, as JSON. */
  readonly sample: string;
  /** Whether the whole schema accepts a query or body. */
  readonly accepts: (value: unknown) => boolean;
}

/** The inputs of a request, or its problems. */
export type Checked<Inputs> = { readonly ok: true; readonly inputs: Inputs } | Refused;

/** Why a request is refused. */
export interface Refused {
  readonly ok: false;
  readonly problems: readonly string[];
  /** The member that the first problem is about; absent if it is about the whole request. */
  readonly input?: string;
}

/** A problem, and the member that it is about. */
interface Problem {
  readonly input?: string;
  readonly text: string;
}

/** The JSON of a body, or its problem. */
export type ParsedBody = { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly problem: string };

type Members = Readonly<Record<string, unknown>>;

const longestPreview = 60;
const mostProblems = 5;
/** Bodies of the contract are flat. Deeper values would overflow the stack of recursive functions. */
const mostLevels = 32;
const addressForms = "an address is workchain:64 hexadecimal digits or 48 characters of base64";

/**
 * Parses a body; `undefined` if it is empty. A number that loses digits in JavaScript becomes its text if the rule's input of that name
 * accepts text, without a rule always.
 */
export function parseByRule(rule: RequestRule | undefined, text: string): ParsedBody {
  if (text === "") return { ok: true, body: undefined };
  try {
    const body: unknown = JSON.parse(text);
    if (isDeeper(body, mostLevels)) return { ok: false, problem: `body: nested more than ${mostLevels} levels deep` };
    return { ok: true, body: inexactNumber.test(text) ? JSON.parse(text, exactNumbers(rule)) : body };
  } catch {
    return { ok: false, problem: "body: not JSON, expected one JSON object" };
  }
}

/** Only numbers of many digits, or with an exponent, lose digits. Texts of digits, as shards usually are, need no second look. */
const inexactNumber = /[:[,]\s*-?[\d.]{16}|[:[,]\s*-?[\d.]+[eE]/;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

function exactNumbers(rule: RequestRule | undefined): (name: string, value: unknown, context?: { source?: string }) => unknown {
  const exact = rule?.inputs.filter(({ kind, accepts }) => kind === "integer" && accepts(1) && accepts("1"));
  const names = exact && new Set(exact.map(({ name }) => name));
  return (name, value, context) => {
    const isInexact = typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
    return isInexact && (names?.has(name) ?? true) ? (context?.source ?? value) : value;
  };
}

/**
 * The members of a request in the form of its rule, from those of a request in another form. What the rule does not know is left out, as
 * are members that are null; the text of a number or a boolean becomes its value, and a number where only text is accepted its text.
 */
export function convertByRule({ inputs }: RequestRule, sent: Members): Members {
  const members: Record<string, unknown> = {};
  for (const { name, accepts, type } of inputs) {
    const value = sent[name];
    if (value === undefined || value === null) continue;
    const text = typeof value === "number" ? String(value) : value;
    members[name] = accepts(value) ? value : accepts(text) ? text : readText(type, value);
  }
  return members;
}

/** Checks a query or a body by the rule of its operation. @param place - Of the inputs in the request, for the problems. */
export function checkByRule(
  rule: RequestRule,
  sent: unknown,
  place: Place = rule.in,
): Checked<Readonly<Record<string, unknown>>> {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) {
    const got = sent === undefined ? "nothing was sent" : `got ${preview(sent)}`;
    return refused([{ text: `body: ${got}, expected a JSON object such as ${rule.sample}` }]);
  }
  const members = rule.in === "query" ? queryMembers(rule, sent as Members) : withoutExtra(sent as Members);
  if (!rule.accepts(members)) return refused(problemsOf(rule, members, place));
  const problems: Problem[] = [];
  const inputs: Record<string, unknown> = {};
  for (const input of rule.inputs) {
    const value = members[input.name];
    const read = value === undefined ? input.default : readers[input.kind](value, input, problems);
    if (read !== undefined) inputs[input.name] = read;
  }
  const { together } = rule;
  if (together.some((name) => name in members) && !together.every((name) => name in members)) {
    const missing = together.filter((name) => !(name in members));
    for (const name of missing)
      problems.push({ input: name, text: `${name}: missing; ${together.join(" and ")} should be used together` });
  }
  return problems.length > 0 ? refused(problems) : { ok: true, inputs };
}

/** The caller's identifier of a request, which every operation takes and the contract does not declare (D-05). */
function withoutExtra(members: Members): Members {
  if (!("@extra" in members)) return members;
  const { "@extra": _, ...rest } = members;
  return rest;
}

/** The known parameters of a query; the text of a number or a boolean becomes its value. Others are ignored. */
function queryMembers({ inputs }: RequestRule, query: Members): Members {
  const members: Record<string, unknown> = {};
  for (const { name, type } of inputs) {
    const value = query[name];
    if (value === undefined) continue;
    members[name] = readText(type, value);
  }
  return members;
}

/** The value of the text of a number or a boolean. */
function readText(type: InputRule["type"], value: unknown): unknown {
  if (type === "integer" && typeof value === "string" && /^-?\d{1,15}$/.test(value)) return Number(value);
  return type === "boolean" && (value === "true" || value === "false") ? value === "true" : value;
}

/** The problems of members that the schema does not accept. */
function problemsOf({ inputs, oneOf }: RequestRule, members: Members, where: Place): Problem[] {
  const problems: Problem[] = [];
  const chosen = oneOf.filter((name) => Object.hasOwn(members, name));
  if (oneOf.length > 0 && chosen.length !== 1) {
    const got = chosen.length === 0 ? "none is given" : `${chosen.join(" and ")} are given`;
    const others = oneOf.slice(0, -1).join(", ");
    problems.push({ text: `exactly one of ${others} and ${oneOf[oneOf.length - 1]} is required; ${got} in the ${where}` });
  }
  const names = inputs.map(({ name }) => name);
  for (const name of Object.keys(members)) {
    if (names.includes(name)) continue;
    const takes = names.length === 0 ? "no members are accepted" : `accepted are ${names.join(", ")}`;
    problems.push({ input: name, text: `${preview(name)} is not a member of this request; ${takes}` });
  }
  for (const input of inputs) {
    const { name, required, accepts, accepted } = input;
    const value = members[name];
    const add = (text: string) => problems.push({ input: name, text: `${name}: ${text}` });
    if (!Object.hasOwn(members, name)) {
      if (required) add(`missing in the ${where}; expected ${accepted}`);
    } else if (where === "query" && Array.isArray(value)) {
      add(`given ${value.length} times, expected once`);
    } else if (!accepts(value)) add(`got ${preview(value)}, expected ${accepted}${hintFor(value, input, where)}`);
  }
  return problems.length > 0 ? problems : [{ text: "the request is not one that the contract allows" }];
}

/** In a query, an unescaped plus sign of base64 is a space. */
function hintFor(value: unknown, { kind, range }: InputRule, where: Place): string {
  if (typeof value !== "string") return "";
  if (isShard(range) && hexadecimalShard.test(value)) return `; in decimal it is "${decimalShard(value)}"`;
  const hasSpace = where === "query" && kind !== "integer" && value.includes(" ");
  return hasSpace ? "; a + is sent as %2B in a query" : "";
}

/** Only shards are 64-bit integers with a sign. */
function isShard(range: InputRule["range"]): boolean {
  return typeof range?.[0] === "bigint" && range[0] < 0n;
}

/** The form in which explorers and logs show shards. */
const hexadecimalShard = /^(?:0x)?[\da-f]{16}$/i;
/** Decimal digits that are such a form of a shard of a network (D-46). */
const ambiguousShard = /^\d{4}0{12}$/;

function decimalShard(hexadecimal: string): string {
  return String(BigInt.asIntN(64, BigInt(`0x${hexadecimal.slice(-16)}`)));
}

type Reader = (value: unknown, input: InputRule, problems: Problem[]) => unknown;

const address: Reader = (value, { name }, problems) => {
  const found = readAddress(value as string);
  if (typeof found !== "string") return found;
  problems.push({ input: name, text: `${name}: ${found}; ${addressForms}` });
  return undefined;
};

/** Reads an accepted value. A reader adds problems to the list. */
const readers: Readonly<Record<InputKind, Reader>> = {
  address,
  addressOrEmpty: (value, input, problems) => (value === "" ? "" : address(value, input, problems)),
  hash: (value) => decode(value as string, 32),
  integer: (value, { name, range = [0, 0] }, problems) => {
    const [least, most] = range;
    const integer = typeof most === "number" ? Number(value) : BigInt(value as string | number);
    if (isShard(range) && ambiguousShard.test(String(value))) {
      const form = `the hexadecimal form of a shard; in decimal it is "${decimalShard(String(value))}"`;
      problems.push({ input: name, text: `${name}: got ${preview(value)}, ${form}` });
      return undefined;
    }
    if (integer >= least && integer <= most) return integer;
    problems.push({
      input: name,
      text: `${name}: ${value} is out of range; an integer from ${least} to ${most} is accepted`,
    });
    return undefined;
  },
  boolean: (value) => value,
  string: (value) => value,
};

function refused(problems: readonly Problem[]): Refused {
  const input = problems[0]?.input?.slice(0, longestPreview);
  const texts = problems.slice(0, mostProblems).map(({ text }) => text);
  return { ok: false, problems: texts, ...(input ? { input } : {}) };
}

/** The beginning of a value as JSON. Objects and lists are only named, because they may be large. */
function preview(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  if (value === Infinity || value === -Infinity) return "a number that is too large";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= longestPreview ? text : `${text.slice(0, longestPreview)}…`;
}
