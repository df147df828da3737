/** Writes requests as code samples in all languages. */
import type { DocumentedExample } from "@chain-query/openapi/operations";
import { curlSample } from "./curl.ts";
import { goSample } from "./go.ts";
import { pythonSample } from "./python.ts";
import type { SampleRequest } from "./request.ts";
import { clientSample, fetchSample } from "./typescript.ts";

/** One sample, in the form of `x-codeSamples`. The highlighter knows the names of the languages too, in lower case. */
export interface Sample {
  lang: string;
  label: string;
  source: string;
}

type Write = (request: SampleRequest, baseUrl: string, fails: boolean) => string;

const writers: readonly { lang: string; label: string; write: Write }[] = [
  { lang: "Shell", label: "curl", write: curlSample },
  { lang: "TypeScript", label: "Client", write: clientSample },
  { lang: "TypeScript", label: "fetch", write: fetchSample },
  { lang: "Python", label: "Python", write: pythonSample },
  { lang: "Go", label: "Go", write: goSample },
];

/** The labels of the samples, in their order. */
export const sampleLabels: readonly string[] = writers.map(({ label }) => label);

/**
 * Writes a request as a sample of each label: curl, a call of our client, plain fetch, Python and Go.
 *
 * @param fails whether the documented response is an error, which some samples handle
 */
export function samplesOf(request: SampleRequest, baseUrl: string, fails: boolean): Sample[] {
  return writers.map(({ lang, label, write }) => ({ lang, label, source: write(request, baseUrl, fails) }));
}

/** The documented examples with different requests. */
export function sampledExamples(examples: readonly DocumentedExample[]): DocumentedExample[] {
  const keys = examples.map(({ operationId, request }) => JSON.stringify([operationId, request]));
  return examples.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
}
