/** What came of a request, as the page shows it. */
import { indentedJson, jsonNodes } from "./json-view.ts";
import type { Outcome } from "./outcome.ts";
import { make, part } from "./parts.ts";

const place = part("outcome", HTMLElement);
const figure = part("answer", HTMLElement);
const code = part("answer-code", HTMLElement);
const details = part("headers", HTMLElement);
const list = part("header-list", HTMLElement);

/** Shows that something is under way. */
export function showWaiting(): void {
  place.className = "outcome";
  place.textContent = "Asking…";
  figure.setAttribute("aria-busy", "true");
}

/** Shows in words what came, and the body and the headers of an answer. */
export function showResult(outcome: Outcome, text = "", headers: readonly [name: string, value: string][] = []): void {
  const { title, measures, advice, kind } = outcome;
  place.className = `outcome ${kind}`;
  place.replaceChildren(
    make("strong", {}, title),
    " ",
    make("span", { class: "measures" }, measures),
    ...(advice === "" ? [] : [" ", make("span", { class: "advice" }, advice)]),
  );
  const json = indentedJson(text);
  code.replaceChildren(...jsonNodes(json));
  figure.hidden = json === "";
  figure.removeAttribute("aria-busy");
  list.replaceChildren(...headers.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  details.hidden = headers.length === 0;
  // On a phone the answer comes below the form, and the button has the focus still.
  if (matchMedia("(max-width: 62rem)").matches) place.closest("section")?.scrollIntoView();
}
