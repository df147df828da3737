/** The switch between light and dark, which remembers the choice where the reference's own switch does. */
const key = "redoc.colorMode";

/** Makes the button of the header work, and follows a system that changes while nothing has been chosen. */
export function themeSwitch(): void {
  const root = document.documentElement;
  const show = (mode: "light" | "dark"): void => {
    root.classList.remove("light", "dark");
    root.classList.add(mode);
  };
  document.querySelector("[data-theme-switch]")?.addEventListener("click", () => {
    const mode = root.classList.contains("dark") ? "light" : "dark";
    show(mode);
    remember(mode);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => {
    if (chosen() === null) show(matches ? "dark" : "light");
  });
}

/** A browser may refuse the storage; the choice then lasts as long as the page. */
function remember(mode: string): void {
  try {
    localStorage.setItem(key, mode);
  } catch {
    return;
  }
}

function chosen(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
