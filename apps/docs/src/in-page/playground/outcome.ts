/** What an answer means, in words for a person. */
import type { Answer } from "./exchange.ts";

/** A heading and what to do about it. */
export interface Outcome {
  /** Such as `200 OK`. */
  title: string;
  /** How long it took and how much came. */
  measures: string;
  /** What went wrong and what helps; empty where nothing did. */
  advice: string;
  kind: "success" | "failure";
}

const reasons: Record<number, string> = {
  200: "OK",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  504: "Gateway Timeout",
};

const advices: Record<number, string> = {
  401: "The service does not know this key. Without a key, one request per second is served.",
  403: "The key is not meant for this network.",
  422: "The service refuses this input.",
  404: "There is no such thing, or not yet.",
};

/** Reads an answer. */
export function outcomeOf({ status, reason, headers, text, bytes, milliseconds }: Answer): Outcome {
  const words = errorIn(text);
  const advice = status === 429 ? `Too many requests. ${waiting(headers)}` : (advices[status] ?? "");
  return {
    // Programs know 422 by an older name.
    title: `${status} ${reasons[status] ?? reason}`.trim(),
    measures: `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms, ${bytes} bytes`,
    advice: status < 300 ? "" : [words && `“${words}”`, advice].filter(Boolean).join(" "),
    kind: status < 300 ? "success" : "failure",
  };
}

/** Why no answer came, as far as a browser tells a page. */
export function silence(error: unknown, baseUrl: string, cancelled: boolean): Outcome {
  if (cancelled) return { title: "Cancelled", measures: "", advice: "", kind: "failure" };
  const advice =
    error instanceof TypeError
      ? `Nobody answered at ${baseUrl}. Either nothing listens there, or it does not allow pages of other sites to ask (CORS).`
      : String(error instanceof Error ? error.message : error);
  return { title: "No answer", measures: "", advice, kind: "failure" };
}

function waiting(headers: Answer["headers"]): string {
  const seconds = headers.find(([name]) => name === "retry-after")?.[1];
  if (seconds === undefined) return "The service does not say for how long to wait.";
  return `The service asks to wait ${seconds} ${seconds === "1" ? "second" : "seconds"} (Retry-After: ${seconds}).`;
}

function errorIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === "string" ? error : "";
  } catch {
    return "";
  }
}
