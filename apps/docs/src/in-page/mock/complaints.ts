/** What a validator finds wrong with a request, in the words of the mock that runs on a machine. */

/** One thing that is wrong, as Ajv tells it. */
interface Fault {
  instancePath: string;
  message?: string;
  params: Record<string, unknown>;
}

/** A compiled schema; it leaves its findings on itself. */
export interface Validator {
  (value: unknown): boolean;
  errors?: Fault[] | null;
}

/** Validators by operation, for its body and its query. */
export interface Validators {
  bodies: Readonly<Record<string, Validator>>;
  queries: Readonly<Record<string, Validator>>;
}

/** What is wrong with a body, which every operation that takes one requires. */
export function bodyComplaints(validator: Validator, body: unknown): string[] {
  if (body === undefined) return ["Body parameter is required"];
  return faultsIn(validator, body).map(({ place, says }) => `Request body ${place === "" ? "" : `property ${place} `}${says}`);
}

/** What is wrong with the parameters of a query. */
export function queryComplaints(validator: Validator, query: object): string[] {
  // The validator writes into what it reads.
  return faultsIn(validator, { ...query }).map(
    ({ place, says }) => `Request query ${place === "" ? "" : `parameter ${place} `}${says}`,
  );
}

function faultsIn(validator: Validator, value: unknown): { place: string; says: string }[] {
  if (validator(value)) return [];
  return (validator.errors ?? []).map(({ instancePath, message = "is wrong", params }) => {
    const unknown = params["additionalProperty"];
    return {
      place: instancePath.slice(1).replaceAll("/", "."),
      says: unknown === undefined ? message : `${message}; found '${unknown}'`,
    };
  });
}
