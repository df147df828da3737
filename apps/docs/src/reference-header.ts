/** Redoc below the header of the site, which stays in sight on a screen that is wide enough. */
import { substitute } from "./substitution.ts";

/** How far from the top Redoc scrolls to: behind the header where that stays. */
export const scrollOffset =
  '() => { const header = document.querySelector(".site-header"); return header && getComputedStyle(header).position === "sticky" ? header.offsetHeight : 0; }';

/** The height of the header is the style sheet's to say, which knows the width of the screen; Redoc would write it at an element. */
export function withoutHeaderHeight(script: string): string {
  return substitute(
    script,
    "Redoc's script",
    /return\{"--navbar-height":`\$\{(\w+)\}px`,"--navbar-stack-height":`\$\{\1\}px`\}/g,
    () => "return{}",
  );
}

/** The same for what is rendered beforehand. */
export function withoutRenderedHeight(page: string): string {
  return substitute(page, "Redoc's page", / style="--navbar-height:0px;--navbar-stack-height:0px"/g, () => "");
}
