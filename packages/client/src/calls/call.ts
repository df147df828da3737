/** The methods of a client: one call from its input to its result. */
import { annotate, checkOptions, checkWire } from "#diagnostics";
import { emitter } from "../hooks.ts";
import { type Operation, pathOf, toWire } from "../operations/input.ts";
import type { CallOptions } from "../options.ts";
import type { Settings } from "../read-options.ts";
import { createCarrier, type RawClient } from "../transport/openapi-fetch.ts";
import type { Limiter, OutgoingRequest, TransportSettings } from "../transport/settings.ts";
import { now } from "../transport/timing.ts";
import { transmit } from "../transport/transmit.ts";
import { failure, openEnvelope } from "./envelope.ts";
import { type QueryPromise, queryPromise } from "./query-promise.ts";

type Method = (input?: object, given?: CallOptions) => QueryPromise<unknown>;

interface Caller {
  readonly raw: RawClient;
  readonly methodOf: (operation: string, about: Operation) => Method;
}

/** Creates the methods of a client. */
export function createCaller(settings: Settings, limiter: Limiter | undefined): Caller {
  const { baseUrl, headers, hooks, validate } = settings;
  const emit = emitter(hooks);
  const usual: TransportSettings = { ...settings, limiter, emit };
  const { raw, carryCall } = createCarrier(baseUrl, headers, async (outgoing, signal) => {
    const call = { operation: outgoing.url.replace(/.*(?=\/api\/v2)|\?.*/g, ""), attempts: 0 };
    const received = await transmit(outgoing, { ...usual, signal }, call);
    // Browsers report status 0 for a redirect, and a server may send any; no Response can be made with these.
    const { status } = received.response;
    if (status < 200 || status > 599) throw failure(received, call);
    return received;
  });

  function methodOf(operation: string, about: Operation): Method {
    const { method, members, path = pathOf(operation) } = about;
    const takesInput = Object.keys(members)[0];
    // Without inputs the options come first, or from JavaScript after an empty input.
    return (input, given = takesInput ? undefined : input) =>
      queryPromise(async (onCompleted) => {
        const own: CallOptions | undefined = given && checkOptions("call", given, operation);
        const wire = toWire(operation, about, given === input ? {} : input);
        checkWire(operation, wire);
        const call = { operation, attempts: 0 };
        const started = now();
        let error: unknown;
        emit?.("onCall", { call });
        try {
          const at = { ...usual, ...own } as TransportSettings;
          const send = (outgoing: OutgoingRequest) => transmit(outgoing, at, call);
          const { response: received } = await carryCall(method, path, wire, own?.headers, send);
          const envelope = openEnvelope(received, call, validate);
          onCompleted({ envelope, received, attempts: call.attempts });
          return envelope.result;
        } catch (caught) {
          error = caught;
          annotate(caught, members, wire);
          throw caught;
        } finally {
          emit?.("onSettled", { call, durationMs: now() - started, error });
        }
      });
  }
  return { raw, methodOf };
}
