/** Writes requests as code samples in all languages. */
import type { DocumentedExample } from "@chain-query/openapi/operations";
import { clientSample } from "./client.ts";
import { curlSample } from "./curl.ts";
import { fetchSample } from "./fetch.ts";
import type { SampleRequest } from "./request.ts";

/** One sample, in the form of `x-codeSamples`. */
export interface Sample {
  lang: string;
  label: string;
  source: string;
}

/**
 * Writes a request as curl, as a call of our client, and as plain fetch, in this order.
 *
 * @param fails whether the documented answer is an error, which the client's sample handles
 *
 * @example
 * samplesOf(request, "http://127.0.0.1:4010", false).map(({ label }) => label); // ["curl", "Client", "fetch"]
 */
export function samplesOf(request: SampleRequest, baseUrl: string, fails: boolean): Sample[] {
  return [
    { lang: "Shell", label: "curl", source: curlSample(request, baseUrl) },
    { lang: "TypeScript", label: "Client", source: clientSample(request, baseUrl, fails) },
    { lang: "TypeScript", label: "fetch", source: fetchSample(request, baseUrl) },
  ];
}

/** The documented examples, without those that repeat the request of another. */
export function sampledExamples(examples: readonly DocumentedExample[]): DocumentedExample[] {
  const keys = examples.map(({ operationId, request }) => JSON.stringify([operationId, request]));
  return examples.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
}
