/** The contract as the mock's choice of answers needs it, from the operations and compiled validators. */
import {
  type Answer,
  type Operation as Answerable,
  type Contract,
  type Preference,
  type Question,
  Refusal,
} from "@chain-query/mock/answering";
import { type Operation, operations } from "@chain-query/openapi/operations";
import { bodyComplaints, queryComplaints, type Validators } from "./complaints.ts";

/** Makes the contract. */
export function contractWith(validators: Validators): Contract {
  const answerable = new Map<string, Answerable>(operations.map((one) => [one.id, answerableOf(one, validators)]));
  const methodsOf = (path: string): string[] =>
    operations.filter((one) => one.path === path).flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return {
    operationIds: [...answerable.keys()],
    operation: (operationId) => answerable.get(operationId),
    methodsOf,
    operationFor({ method, path }) {
      const verb = method === "HEAD" ? "GET" : method;
      const found = operations.find((one) => one.path === path && one.method === verb);
      const operation = answerable.get(found?.id ?? "");
      if (operation !== undefined) return operation;
      const methods = methodsOf(path);
      if (methods.length === 0) throw new Refusal(404, `the contract has no path ${path}`);
      throw new Refusal(405, `${path} takes ${methods.join(" or ")}, not ${method}`, { allow: methods.join(", ") });
    },
  };
}

function answerableOf(operation: Operation, validators: Validators): Answerable {
  const statuses = operation.responses.flatMap(({ status, examples }) =>
    Object.keys(examples).map((name) => [name, Number(status)] as const),
  );
  return {
    operationId: operation.id,
    examples: statuses.map(([name]) => name),
    statusOf: (example) => new Map(statuses.toReversed()).get(example),
    ask: async (question, preference) => ({
      answer: preferred(operation, preference),
      complaints: complaintsOf(operation, question, validators),
    }),
  };
}

function complaintsOf({ id, method }: Operation, question: Question, { bodies, queries }: Validators): string[] {
  const validator = (method === "POST" ? bodies : queries)[id];
  if (validator === undefined) return [];
  return method === "POST" ? bodyComplaints(validator, question.body) : queryComplaints(validator, question.query);
}

/** The answer of a status, 200 by default, and of its examples the named one or the first. */
function preferred({ id, responses }: Operation, { code = 200, example }: Preference): Answer {
  const found = responses.find(({ status }) => status === `${code}`) ?? responses.find(({ status }) => status === "default");
  const examples = found?.examples ?? {};
  if (example !== undefined && !(example in examples)) {
    const names = Object.keys(examples).join(", ");
    throw new Refusal(422, `Prefer: example=${example}: the ${code} answers of ${id} are ${names}`);
  }
  const body = examples[example ?? Object.keys(examples)[0] ?? ""]?.value;
  const headers = Object.entries(found?.headers ?? {}).map(([name, { schema }]) => [
    name.toLowerCase(),
    String(schema.examples?.[0] ?? ""),
  ]);
  return { status: code, headers: Object.fromEntries(headers), body: withStatus(code, body) };
}

/** The examples of `default` stand for several statuses; the code of a failure equals its status. */
function withStatus(status: number, body: unknown): unknown {
  const failed = typeof body === "object" && body !== null && "ok" in body && body.ok === false;
  return failed ? { ...body, code: status } : body;
}
