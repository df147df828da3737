/** The methods of a client: one call from its input to its result. */
import { annotate, checkOptions, checkWire } from "#diagnostics";
import { emitter } from "../hooks.ts";
import { type Operation, pathOf, toWire } from "../operations/input.ts";
import type { CallOptions, Settings } from "../options.ts";
import { createCarrier, type RawClient } from "../transport/openapi-fetch.ts";
import type { Limiter, OutgoingRequest, ReceivedResponse, TransportSettings } from "../transport/settings.ts";
import { now } from "../transport/timing.ts";
import { transmit } from "../transport/transmit.ts";
import { type Envelope, extraOf, failure, openEnvelope } from "./envelope.ts";
import { type QueryPromise, queryPromise, type Success } from "./query-promise.ts";

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
    return (input, given = takesInput ? undefined : input) => {
      const call = { operation, attempts: 0 };
      let received: ReceivedResponse;
      let envelope: Envelope;
      const run = async () => {
        const own: CallOptions | undefined = given && checkOptions("call", given, operation);
        const wire = toWire(operation, about, given === input ? {} : input);
        checkWire(operation, wire);
        const started = now();
        let error: unknown;
        emit?.("onCall", { call });
        try {
          const at = { ...usual, ...own } as TransportSettings;
          const send = (outgoing: OutgoingRequest) => transmit(outgoing, at, call);
          received = (await carryCall(method, path, wire, own?.headers, send)).response;
          envelope = openEnvelope(received, call, validate);
          return envelope.result as unknown;
        } catch (caught) {
          error = caught;
          annotate(caught, members, wire);
          throw caught;
        } finally {
          emit?.("onSettled", { call, durationMs: now() - started, error });
        }
      };
      return queryPromise(run(), (result) => {
        const { response, text } = received;
        Object.assign(response, { text: async () => text, json: async () => JSON.parse(text) });
        const { attempts } = call;
        return { result, response, attempts, extra: extraOf(envelope), envelope: envelope as Success<unknown> };
      });
    };
  }
  return { raw, methodOf };
}
