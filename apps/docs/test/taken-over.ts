/** The reference is there before Redoc has taken it over: until then a click does nothing, and the page may still move. */
import type { Page } from "playwright-core";

/** For so many milliseconds a page has not moved where it is still. */
const quiet = 500;

/** Waits until Redoc answers, and the page has come to where its address leads. */
export async function takenOver(page: Page): Promise<void> {
  await page.getByTestId("page-actions").first().getByRole("button").first().waitFor();
  await page.evaluate(`new Promise((resolve) => {
    let place, since;
    const look = (now) => {
      if (scrollY !== place) [place, since] = [scrollY, now];
      if (now - since < ${quiet}) requestAnimationFrame(look);
      else resolve();
    };
    requestAnimationFrame(look);
  })`);
}
