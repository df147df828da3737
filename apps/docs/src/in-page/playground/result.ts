/** Shows the answer to a request. */
import { createElement, findPart } from "./elements.ts";
import type { Outcome } from "./outcome.ts";

const outcomeElement = findPart("outcome", HTMLElement);
const figure = findPart("answer", HTMLElement);
const code = findPart("answer-code", HTMLElement);
const details = findPart("headers", HTMLElement);
const list = findPart("header-list", HTMLElement);

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Shows that a request is pending. */
export function showWaiting(): void {
  outcomeElement.className = "outcome";
  outcomeElement.textContent = "Waiting for the answer…";
  figure.setAttribute("aria-busy", "true");
}

/** Shows the outcome, and the body and headers of the answer. */
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
  // On a phone the answer is below the form.
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
