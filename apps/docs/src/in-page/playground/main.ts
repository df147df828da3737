/** The playground: a form for each operation, and what a service answers to it. */
import { samplesOf } from "../../samples/samples.ts";
import { exchange, type Service } from "./exchange.ts";
import { showForm } from "./form.ts";
import { outcomeOf, silence } from "./outcome.ts";
import { part } from "./parts.ts";
import { showResult, showWaiting } from "./result.ts";

const sendButton = part("send", HTMLButtonElement);
const cancelButton = part("cancel", HTMLButtonElement);
const sampleCode = part("sample-code", HTMLElement);
const languages = part("languages", HTMLElement);

const form = showForm(showSample);
let pending: AbortController | undefined;

function showSample(): void {
  const language = languages.querySelector<HTMLInputElement>("input:checked")?.value;
  const samples = samplesOf(form.request(), form.shownUrl(), form.fails());
  sampleCode.textContent = samples.find(({ label }) => label === language)?.source ?? "";
}

async function send(): Promise<void> {
  pending?.abort();
  const own = new AbortController();
  pending = own;
  cancelButton.hidden = false;
  showWaiting();
  let service: Service | undefined;
  try {
    service = await form.service();
    const answer = await exchange(form.request(), service, own.signal);
    if (pending === own) showResult(outcomeOf(answer), answer.text, answer.headers);
  } catch (error) {
    if (pending === own) showResult(silence(error, service?.baseUrl ?? "", own.signal.aborted));
  } finally {
    if (pending === own) {
      pending = undefined;
      cancelButton.hidden = true;
    }
  }
}

form.element.addEventListener("submit", (event) => {
  event.preventDefault();
  void send();
});
cancelButton.addEventListener("click", () => {
  pending?.abort();
  sendButton.focus();
});
languages.addEventListener("change", showSample);
// In the drawer of the reference, Escape closes the drawer wherever the focus is.
addEventListener("keydown", ({ key }) => {
  if (key === "Escape") frameElement?.closest("dialog")?.close();
});
showSample();
