/** Describes a response, or the failure of a request, for the reader. */
import type { Answer } from "./exchange.ts";

/** The description. */
export interface Outcome {
  /** Such as `200 OK`. */
  title: string;
  /** Time and size. */
  measures: string;
  /** The error and how to fix it; empty for a success. */
  advice: string;
  kind: "success" | "failure";
}

const reasonPhrases: Record<number, string> = {
  200: "OK",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  504: "Gateway Timeout",
};

const adviceByStatus: Record<number, string> = {
  401: "The service does not know this key. Without a key, one request per second is served.",
  403: "The key is not valid for this network.",
  422: "The service refuses this input.",
  404: "It does not exist, or not yet.",
};

/** Describes a response. */
export function outcomeOf({ status, reason, headers, text, bytes, milliseconds }: Answer): Outcome {
  const message = errorMessage(text);
  const advice = status === 429 ? `Too many requests. ${retryAdvice(headers)}` : (adviceByStatus[status] ?? "");
  return {
    // Servers often send the old reason phrase of 422, Unprocessable Entity.
    title: `${status} ${reasonPhrases[status] ?? reason}`.trim(),
    measures: `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms, ${bytes} bytes`,
    advice: status < 300 ? "" : [message && `“${message}”`, advice].filter(Boolean).join(" "),
    kind: status < 300 ? "success" : "failure",
  };
}

/** Describes a request without an answer. Browsers hide the cause of a network error from pages. */
export function failureOf(error: unknown, baseUrl: string, cancelled: boolean): Outcome {
  if (cancelled) return { title: "Cancelled", measures: "", advice: "", kind: "failure" };
  const advice =
    error instanceof TypeError
      ? `No answer from ${baseUrl}. Either no service listens there, or it does not allow requests from other origins (CORS).`
      : String(error instanceof Error ? error.message : error);
  return { title: "No answer", measures: "", advice, kind: "failure" };
}

function retryAdvice(headers: Answer["headers"]): string {
  const seconds = headers.find(([name]) => name === "retry-after")?.[1];
  if (seconds === undefined) return "The service did not send a Retry-After header.";
  return `The service asks to wait ${seconds} ${seconds === "1" ? "second" : "seconds"} (Retry-After: ${seconds}).`;
}

function errorMessage(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === "string" ? error : "";
  } catch {
    return "";
  }
}
