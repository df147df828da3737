/** The contract for the mock's choice of answers, read from data and compiled validators in the place of Prism. */
import {
  type Answer,
  type Contract,
  type Operation,
  type Preference,
  type Question,
  Refusal,
} from "@chain-query/mock/answering";
import type { MockOperation } from "../../mock/operations.ts";
import { bodyComplaints, queryComplaints, type Validators } from "./complaints.ts";

/** Makes the contract of its operations and their validators. */
export function contractOf(operations: readonly MockOperation[], validators: Validators): Contract {
  const made = new Map(operations.map((one) => [one.operationId, operationOf(one, validators)]));
  const methodsOf = (path: string): string[] =>
    operations.filter((one) => one.path === path).flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return {
    operationIds: [...made.keys()],
    operation: (operationId) => made.get(operationId),
    methodsOf,
    operationFor({ method, path }) {
      const verb = method === "HEAD" ? "GET" : method;
      const found = operations.find((one) => one.path === path && one.method === verb);
      const operation = made.get(found?.operationId ?? "");
      if (operation !== undefined) return operation;
      const methods = methodsOf(path);
      if (methods.length === 0) throw new Refusal(404, `the contract has no path ${path}`);
      throw new Refusal(405, `${path} takes ${methods.join(" or ")}, not ${method}`, { allow: methods.join(", ") });
    },
  };
}

function operationOf(one: MockOperation, validators: Validators): Operation {
  const { operationId, answers } = one;
  const statuses = answers.flatMap(({ status, bodies }) => Object.keys(bodies).map((name) => [name, Number(status)] as const));
  return {
    operationId,
    examples: statuses.map(([name]) => name),
    statusOf: (example) => new Map(statuses.toReversed()).get(example),
    ask: async (question, preference) => ({
      answer: preferred(one, preference),
      complaints: complaintsOf(one, question, validators),
    }),
  };
}

function complaintsOf(
  { operationId, takesBody }: MockOperation,
  question: Question,
  { bodies, queries }: Validators,
): string[] {
  const query = queries[operationId];
  const body = bodies[operationId];
  return [
    ...(query === undefined ? [] : queryComplaints(query, question.query)),
    ...(takesBody && body !== undefined ? bodyComplaints(body, question.body) : []),
  ];
}

/** The answer of a status, or of the typical one, and of that the example by its name, or the first. */
function preferred({ operationId, answers }: MockOperation, { code = 200, example }: Preference): Answer {
  const found = answers.find(({ status }) => status === `${code}`) ?? answers.find(({ status }) => status === "default");
  const bodies = found?.bodies ?? {};
  if (example !== undefined && !(example in bodies)) {
    const names = Object.keys(bodies).join(", ");
    throw new Refusal(422, `Prefer: example=${example}: the ${code} answers of ${operationId} are ${names}`);
  }
  const body = bodies[example ?? Object.keys(bodies)[0] ?? ""];
  return { status: code, headers: found?.headers ?? {}, body: ofStatus(code, body) };
}

/** One example stands for every status that only `default` describes; the code of a failure still equals its status. */
function ofStatus(status: number, body: unknown): unknown {
  const failed = typeof body === "object" && body !== null && "ok" in body && body.ok === false;
  return failed ? { ...body, code: status } : body;
}
