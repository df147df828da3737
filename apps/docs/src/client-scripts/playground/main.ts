/** The script of the playground page: sends the form and shows the response. */
import { samplesOf } from "../../samples/samples.ts";
import { findPart } from "../elements.ts";
import { showForm } from "./form.ts";
import { failureOf, outcomeOf, showResult, showWaiting } from "./result.ts";
import { type Service, sendRequest } from "./send-request.ts";

const sendButton = findPart("send", HTMLButtonElement);
const cancelButton = findPart("cancel", HTMLButtonElement);
const sampleCode = findPart("sample-code", HTMLElement);
const languages = findPart("languages", HTMLElement);

const form = showForm(showSample);
let pending: AbortController | undefined;

function showSample(): void {
  const language = languages.querySelector<HTMLInputElement>("input:checked")?.value;
  const samples = samplesOf(form.request(), form.shownUrl(), form.fails());
  sampleCode.textContent = samples.find(({ label }) => label === language)?.source ?? "";
}

async function send(): Promise<void> {
  pending?.abort();
  const controller = new AbortController();
  pending = controller;
  cancelButton.hidden = false;
  showWaiting();
  let service: Service | undefined;
  try {
    service = await form.service();
    const response = await sendRequest(form.request(), service, controller.signal);
    if (pending === controller) showResult(outcomeOf(response), response.text, response.headers);
  } catch (error) {
    if (pending === controller) showResult(failureOf(error, service?.baseUrl ?? "", controller.signal.aborted));
  } finally {
    if (pending === controller) {
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
showSample();
