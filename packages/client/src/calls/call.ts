/** The methods of a client: one call from its input to its result. */
import { annotate, checkOptions, checkWire, withoutRequest } from "#checks";
import { emitter } from "../hooks.ts";
import { type Operation, pathOf, toWire } from "../operations/input.ts";
import type { CallOptions } from "../options.ts";
import type { Settings } from "../read-options.ts";
import { createRawClient, type RawClient } from "../transport/openapi-fetch.ts";
import type { Draft, Limiter, Received, TransportSettings } from "../transport/settings.ts";
import { transmit } from "../transport/transmit.ts";
import { failure, openEnvelope } from "./envelope.ts";
import { type QueryPromise, queryPromise } from "./query-promise.ts";

interface Point {
  readonly operation: string;
  attempts: number;
}

type Method = (input?: object, given?: CallOptions) => QueryPromise<unknown>;

interface Caller {
  readonly raw: RawClient;
  readonly methodOf: (operation: string, about: Operation) => Method;
}

/** Creates the methods of a client. */
export function createCaller(settings: Settings, limiter: Limiter | undefined): Caller {
  const { baseUrl, headers, hooks, middleware, validate } = settings;
  const emit = emitter(hooks);
  const usual: TransportSettings = { ...settings, limiter, emit };
  const { raw, callRaw } = createRawClient(baseUrl, headers, (draft, signal) => {
    const operation = draft.url.replace(/.*(?=\/api\/v2)|\?.*/g, "");
    return send(draft, { ...usual, signal }, { operation, attempts: 0 });
  });

  const callOperation = withoutRequest(raw, callRaw, baseUrl, headers) ?? callRaw;
  if (middleware?.[0]) raw.use(...middleware);

  function methodOf(operation: string, about: Operation): Method {
    const { method, members, path = pathOf(operation) } = about;
    const takesInput = Object.keys(members)[0];
    // Without inputs the options come first, or from JavaScript after an empty input.
    return (input, given = takesInput ? undefined : input) =>
      queryPromise(async (keep) => {
        const own: CallOptions | undefined = given && checkOptions("call", given, operation);
        const wire = toWire(operation, about, given === input ? {} : input);
        checkWire(operation, wire);
        const point = { operation, attempts: 0 };
        const started = emit && performance.now();
        let error: unknown;
        emit?.("onCall", { call: point });
        try {
          const at = own ? ({ ...usual, ...own } as TransportSettings) : usual;
          const received = await callOperation(method, path, wire, own?.headers, (draft) => send(draft, at, point));
          const envelope = openEnvelope(received, point, validate);
          keep({ envelope, received, attempts: point.attempts });
          return envelope.result;
        } catch (caught) {
          error = caught;
          annotate(caught, members, wire);
          throw caught;
        } finally {
          emit?.("onSettled", { call: point, durationMs: performance.now() - Number(started), error });
        }
      });
  }
  return { raw, methodOf };
}

async function send(draft: Draft, settings: TransportSettings, point: Point): Promise<Received> {
  const received = await transmit(draft, settings, point);
  // Browsers report status 0 for a redirect, and a server may send any; openapi-fetch can receive no Response with these.
  const { status } = received.response;
  if (status < 200 || status > 599) throw failure(received, point);
  return received;
}
