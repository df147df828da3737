/** The Tab key reaches every control, and each shows that it has the focus. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Runs in the page: records the controls that did not get the focus, and those that do not show it. Of a group of radio buttons, Tab
 * reaches one.
 */
const watch = (within: string): string => `(() => {
  const kinds = 'a[href], button:enabled, input:enabled:not([type="hidden"]), select:enabled, textarea:enabled, summary, [tabindex="0"]';
  // Elements with a pointer cursor count as controls, unless they contain one or are part of one.
  const handed = (element) => getComputedStyle(element).cursor === "pointer" && !element.closest(kinds) && !element.querySelector(kinds) &&
    getComputedStyle(element.parentElement).cursor !== "pointer" && !element.closest("label");
  const name = (element) => element.tagName.toLowerCase() + " " +
    (element.getAttribute("aria-label") || element.labels?.[0]?.textContent || element.textContent).trim().slice(0, 40);
  const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
  const inGroup = (element) => element.type === "radio" && !element.checked && document.querySelector('input[name="' + element.name + '"]:checked');
  const usable = [...document.querySelector(${JSON.stringify(within)}).querySelectorAll("*")].filter((element) => element.matches(kinds) || handed(element));
  const wanted = new Set(usable.filter((element) => seen(element) && !inGroup(element) && element.tabIndex !== -1 || handed(element)));
  const unmarked = [];
  const look = (element) => { const { outlineStyle, boxShadow, borderColor, backgroundColor } = getComputedStyle(element); return [outlineStyle, boxShadow, borderColor, backgroundColor].join(); };
  const around = (element) => [element, element.parentElement, element.nextElementSibling].filter(Boolean).map(look).join();
  const usual = new Map([...wanted].map((element) => [element, around(element)]));
  addEventListener("focusin", ({ target }) => {
    if (wanted.delete(target) && around(target) === usual.get(target)) unmarked.push(name(target));
  });
  globalThis.focusWatch = { wanted: wanted.size, left: () => [...wanted].filter((element) => element.isConnected).map(name), unmarked };
})()`;

/** Presses Tab until all controls of an element had the focus, up to a limit: Redoc renders more controls on the way. */
export async function expectReachedByTab(page: Page, within: string): Promise<void> {
  await page.evaluate(watch(within));
  const most = 4 * Number(await page.evaluate("focusWatch.wanted"));
  expect(most).toBeGreaterThan(0);
  const result = (): Promise<{ left: string[]; unmarked: string[] }> =>
    page.evaluate("({ left: focusWatch.left(), unmarked: focusWatch.unmarked })");
  for (let pressed = 0; pressed < most; pressed++) {
    await page.keyboard.press("Tab");
    if (pressed % 10 === 9 && (await result()).left.length === 0) break;
  }
  expect(await result()).toEqual({ left: [], unmarked: [] });
}
