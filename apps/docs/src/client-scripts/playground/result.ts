/** Describes and shows a response, or the failure of a request. */
import { createElement, findPart } from "../elements.ts";
import type { PlaygroundResponse } from "./send-request.ts";

/** The description. */
interface Outcome {
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
export function outcomeOf({ status, reason, headers, text, bytes, milliseconds }: PlaygroundResponse): Outcome {
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

/** Describes a request without a response. Browsers hide the cause of a network error from pages. */
export function failureOf(error: unknown, baseUrl: string, cancelled: boolean): Outcome {
  if (cancelled) return { title: "Cancelled", measures: "", advice: "", kind: "failure" };
  const advice =
    error instanceof TypeError
      ? `No response from ${baseUrl}. Either no service listens there, or it does not allow requests from other origins (CORS).`
      : String(error instanceof Error ? error.message : error);
  return { title: "No response", measures: "", advice, kind: "failure" };
}

function retryAdvice(headers: PlaygroundResponse["headers"]): string {
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

const outcomeElement = findPart("outcome", HTMLElement);
const figure = findPart("response", HTMLElement);
const code = findPart("response-code", HTMLElement);
const details = findPart("headers", HTMLElement);
const list = findPart("header-list", HTMLElement);

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Shows that a request is pending. */
export function showWaiting(): void {
  outcomeElement.className = "outcome";
  outcomeElement.textContent = "Waiting for the response…";
  figure.setAttribute("aria-busy", "true");
}

/** Shows the outcome, and the body and headers of the response. */
export function showResult(outcome: Outcome, text = "", headers: readonly [name: string, value: string][] = []): void {
  const { title, measures, advice, kind } = outcome;
  outcomeElement.className = `outcome ${kind}`;
  outcomeElement.replaceChildren(
    createElement("strong", {}, title),
    " ",
    createElement("span", { class: "measures" }, measures),
    ...(advice === "" ? [] : [" ", createElement("span", { class: "advice" }, advice)]),
  );
  code.replaceChildren(...jsonNodes(indented(text)));
  figure.hidden = text === "";
  figure.removeAttribute("aria-busy");
  list.replaceChildren(...headers.flatMap(([name, value]) => [createElement("dt", {}, name), createElement("dd", {}, value)]));
  details.hidden = headers.length === 0;
  // On a phone the response is below the form.
  if (matchMedia("(max-width: 62rem)").matches) outcomeElement.closest("section")?.scrollIntoView();
}

/** Indents JSON; other text stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** JSON with a coloured element for each token. */
function jsonNodes(json: string): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const { 0: match, 1: string, 2: colon, index } of json.matchAll(token)) {
    nodes.push(document.createTextNode(json.slice(end, index)));
    const kind = colon !== undefined ? "c-function" : string !== undefined ? "c-string" : "c-constant";
    nodes.push(createElement("span", { class: kind }, string ?? match), document.createTextNode(colon ?? ""));
    end = index + match.length;
  }
  return [...nodes, document.createTextNode(json.slice(end))];
}
