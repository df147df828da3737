/** Checks with random requests: valid ones made from the contract's schemas, and valid ones that were then broken. */
import { type Input, type Operation, operations } from "@chain-query/openapi/operations";
import fc from "fast-check";
import { friendlyAddressOf } from "../address.ts";
import { requestOf } from "../contract/documented-requests.ts";
import { allowsInput } from "../contract/schemas.ts";
import { isObject } from "../json.ts";
import { validateExchange } from "../rules/exchange.ts";
import { type Exchange, type HttpResponse, type Request, responseOf } from "../service/exchange.ts";
import { type Check, type Context, describeResponse, type Violation } from "./check.ts";
import { startHead } from "./live/fetch.ts";

type Values = Readonly<Record<string, unknown>>;

/** The operations that have a body or parameters. */
const fuzzedOperations: readonly Operation[] = operations.filter(
  ({ method, inputs }) => method === "POST" || inputs.length > 0,
);

/** Requests that the contract allows. */
function validRequests(operation: Operation, head: number): fc.Arbitrary<Request> {
  return validInputs(operation, head).map((input) => requestOf(operation.id, input));
}

/** Requests that were broken after they had been valid; some may still be valid. */
function brokenRequests(operation: Operation, head: number): fc.Arbitrary<Request> {
  const { id, method, path } = operation;
  return validInputs(operation, head)
    .chain(brokenFrom)
    .map((input): Request => {
      if (method !== "GET") return { operation: id, method, path, text: JSON.stringify(input) ?? "" };
      const members = isObject(input) ? Object.entries(input) : [["", String(input)] as const];
      const query = members.map(([name, value]) => [name, String(typeof value === "object" ? JSON.stringify(value) : value)]);
      return { operation: id, method, path, query: Object.fromEntries(query) };
    });
}

/** Whether the schemas allow a broken request nevertheless. */
function isAllowed({ id }: Operation, { query, text }: Request): boolean {
  return allowsInput(id, text === undefined ? query : text === "" ? undefined : JSON.parse(text));
}

function validInputs(operation: Operation, head: number): fc.Arbitrary<Values> {
  const arbitraries = new Map(operation.inputs.map((input) => [input.name, valuesOf(input)]));
  const choice = operation.oneOf.length === 0 ? fc.constant(undefined) : fc.constantFrom(...operation.oneOf);
  return choice
    .chain((chosen) => {
      const inputs = operation.inputs.filter(({ name }) => name === chosen || !operation.oneOf.includes(name));
      const requiredKeys = inputs.filter(({ name, required }) => required || name === chosen).map(({ name }) => name);
      const values = Object.fromEntries([...arbitraries].filter(([name]) => inputs.some((input) => input.name === name)));
      return fc.record(values, { requiredKeys });
    })
    .map((input) => respectDecisions(operation.id, input, head));
}

/** Keeps to the decisions about combinations: lt and hash come as a pair (D-14), and the seqno of an account is at most the head (D-16). */
function respectDecisions(operation: string, input: Values, head: number): Values {
  if (operation === "getAddressInformation" && "seqno" in input) {
    return { ...input, seqno: String((Number(input["seqno"]) % head) + 1) };
  }
  if ("lt" in input === "hash" in input || operation !== "getTransactionsStd") return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== "lt" && name !== "hash"));
}

const account = fc.tuple(fc.constantFrom(-1, 0), fc.uint8Array({ minLength: 32, maxLength: 32 }));
const address = fc.oneof(
  account.map(([workchain, id]) => `${workchain}:${Buffer.from(id).toString("hex")}`),
  account.map(([workchain, id]) => `${workchain}:${Buffer.from(id).toString("hex").toUpperCase()}`),
  account.map(([workchain, id]) => friendlyAddressOf(workchain, id)),
  account.map(([workchain, id]) => friendlyAddressOf(workchain, id).replaceAll("-", "+").replaceAll("_", "/")),
);

/** The values that an input accepts. */
function valuesOf({ name, kind, schema, range }: Input): fc.Arbitrary<unknown> {
  if (kind === "address") return address;
  if (kind === "addressOrEmpty") return fc.oneof(address, fc.constant(""));
  if (kind === "boolean") return fc.boolean();
  if (range === undefined) return fc.stringMatching(new RegExp(schema.pattern ?? ""));
  const any = fc.bigInt({ min: range.least, max: range.most });
  const value = name === "workchain" ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(-1n, 0n) }, any) : any;
  return value.chain((integer): fc.Arbitrary<unknown> => {
    const isNumber = schema.type !== "string" && Number.isSafeInteger(Number(integer));
    const isText = schema.type !== "integer";
    return fc.constantFrom<unknown>(...(isNumber ? [Number(integer)] : []), ...(isText ? [String(integer)] : []));
  });
}

/** Any code points, lone surrogates included. fast-check's own "binary" unit takes over half a second to initialise. */
const anyText = fc.string({ unit: fc.nat({ max: 0x10ffff }).map((codePoint) => String.fromCodePoint(codePoint)) });
const notValues: readonly unknown[] = [null, true, false, [], {}, [[]]];
const numbers: readonly unknown[] = [-0, 0, -1, 1.5, 1e308, 2 ** 53, 2 ** 63, "0", "-0", "+1", "1e3", "0x10", "NaN"];
const texts = [
  "",
  " ",
  "null",
  "\u0000",
  "\r\n",
  "\ud800",
  "\u202e",
  "é",
  "💥",
  "%00",
  "..",
  "' OR 1=1 --",
  "{{x}}",
  "__proto__",
];
const hostile = fc.oneof(
  fc.constantFrom(...notValues, ...numbers, ...texts, "9".repeat(400), "A".repeat(5000)),
  anyText,
  fc.double(),
  fc.bigInt().map(String),
  fc.jsonValue(),
);

/** An input with a member replaced, added or removed, or replaced as a whole; the result may still be valid. */
function brokenFrom(input: Values): fc.Arbitrary<unknown> {
  const members = Object.keys(input);
  const put = fc
    .tuple(fc.constantFrom("no_such_member", "__proto__", "", ...members), hostile)
    .map(([member, value]) => Object.fromEntries([...Object.entries(input), [member, value]]));
  const without = (member: string): Values => Object.fromEntries(Object.entries(input).filter(([name]) => name !== member));
  const lost = members.length === 0 ? put : fc.constantFrom(...members).map(without);
  return fc.oneof({ weight: 5, arbitrary: put }, { weight: 1, arbitrary: lost }, { weight: 1, arbitrary: hostile });
}

/** Requests that may be spent on finding the smallest failing one. */
const shrinkingLimit = 150;

export const fuzzChecks: readonly Check[] = fuzzedOperations.flatMap((operation): Check[] => [
  {
    id: `fuzz/${operation.id}/valid`,
    description: "a valid request is never rejected as invalid",
    rule: "D-04",
    operations: [operation.id],
    run: (context) =>
      search(context, (head) => validRequests(operation, head), {
        expected: "no 400 or 422, as the request is valid",
        isRight: ({ status }) => status !== 422 && status !== 400,
      }),
  },
  {
    id: `fuzz/${operation.id}/broken`,
    description: "a broken request never leads to a 5xx or to a response off the contract",
    rule: "D-04",
    operations: [operation.id],
    run: (context) =>
      search(context, (head) => brokenRequests(operation, head), {
        expected: "no 5xx, as the request is invalid",
        // A changed request may still be valid; the service may then fail to serve it.
        isRight: ({ status }, request) => status < 500 || isAllowed(operation, request),
      }),
  },
]);

interface Expectation {
  readonly expected: string;
  readonly isRight: (response: HttpResponse, request: Request) => boolean;
}

/** Sends random requests and reports the smallest one with a wrong response. */
async function search(
  context: Context,
  requests: (head: number) => fc.Arbitrary<Request>,
  expectation: Expectation,
): Promise<void> {
  if (context.fuzz === 0) return;
  const { result } = await startHead(context);
  const numRuns = Math.max(1, Math.ceil(context.fuzz / fuzzedOperations.length));
  let smallest: Violation | undefined;
  let spent = 0;
  const property = fc.asyncProperty(requests(result.last.seqno), async (request) => {
    // After the first failure fast-check only tries smaller requests.
    if (smallest !== undefined && ++spent > shrinkingLimit) return true;
    const violation = violationIn(await context.send(request), expectation);
    smallest = violation ?? smallest;
    return violation === undefined;
  });
  await fc.check(property, { numRuns, seed: context.seed });
  if (smallest === undefined) return;
  const { exchange, expected, got, rule } = smallest;
  context.expect(false, exchange, expected, `${got}; again with --fuzz ${context.fuzz} --seed ${context.seed}`, rule);
}

function violationIn(exchange: Exchange, { expected, isRight }: Expectation): Violation | undefined {
  const response = responseOf(exchange);
  if (response === undefined) return { exchange, expected: "a response", got: describeResponse(exchange) };
  if (!isRight(response, exchange.request)) return { exchange, expected, got: describeResponse(exchange) };
  return [...validateExchange(exchange).values()].flat()[0];
}
