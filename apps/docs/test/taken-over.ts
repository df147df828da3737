/** Waits until Redoc has taken the prerendered reference over: before that, its buttons do nothing. */
import type { Page } from "playwright-core";

/** Makes Redoc start by an interaction, and waits until it answers and has scrolled to the place that the address names. */
export async function takenOver(page: Page): Promise<void> {
  await page.mouse.move(1, 1);
  await page.mouse.move(2, 2);
  await page.getByTestId("page-actions").first().getByRole("button").first().waitFor();
  await page.evaluate(`new Promise((resolve) => {
    let place, since;
    const look = (now) => {
      if (scrollY !== place) [place, since] = [scrollY, now];
      if (now - since < 300) requestAnimationFrame(look);
      else resolve();
    };
    requestAnimationFrame(look);
  })`);
}
