/** The logo, drawn in the page so that it takes the page's colours. */
import { readFileSync } from "node:fs";
import { type Html, raw } from "./html.ts";

/** The mark alone; whoever places it says beside it what it stands for. */
export const logo: Html = raw(
  readFileSync(new URL("../assets/logo.svg", import.meta.url), "utf8")
    .trim()
    .replace(/<title>.*<\/title>/, "")
    .replace("<svg ", '<svg class="logo" aria-hidden="true" focusable="false" '),
);
