/** The script of all pages: colour scheme, search, copy buttons and navigation. Pages are readable without it. */

themeSwitch();
skipLink();
searchButton();
copyButtons();
pageList();
sidebarPlace();
outlineMarker();

/** The button that switches between light and dark. Redoc reads the same key of the storage. */
function themeSwitch(): void {
  const key = "redoc.colorMode";
  const root = document.documentElement;
  const show = (mode: string): void => {
    root.classList.remove("light", "dark");
    root.classList.add(mode);
  };
  document.querySelector("[data-theme-switch]")?.addEventListener("click", () => {
    const mode = root.classList.contains("dark") ? "light" : "dark";
    show(mode);
    try {
      localStorage.setItem(key, mode);
    } catch {
      // Without storage the choice lasts until the page is left.
    }
  });
  const isChosen = (): boolean => {
    try {
      return localStorage.getItem(key) !== null;
    } catch {
      return false;
    }
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => {
    if (!isChosen()) show(matches ? "dark" : "light");
  });
}

/** The link past the navigation. A plain `#main` would leave pages that have a base element. */
function skipLink(): void {
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    const main = document.getElementById("main");
    main?.focus();
    main?.scrollIntoView();
  });
}

/** The buttons and the keys that open the search: / and Ctrl+K, before Redoc hears them. */
function searchButton(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-search]");
  if (!button) return;
  const { search = "", index = "" } = button.dataset;
  const absolute = (address: string): string => new URL(address, document.baseURI).href;
  let dialog: Promise<() => void> | undefined;
  const open = async (): Promise<void> => {
    dialog ??= import(absolute(search)).then(({ createDialog }) => createDialog(absolute(index)));
    try {
      (await dialog)();
    } catch {
      // The next click tries again.
      dialog = undefined;
    }
  };
  for (const each of [button, document.querySelector("[data-open-search]")]) each?.addEventListener("click", () => void open());
  const onKey = (event: KeyboardEvent): void => {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
    const slash = event.key === "/" && !typing;
    const ctrlK = event.key === "k" && (event.ctrlKey || event.metaKey);
    if (!slash && !ctrlK) return;
    event.preventDefault();
    event.stopPropagation();
    void open();
  };
  addEventListener("keydown", onKey, { capture: true });
}

/** A button on each block of code. If the clipboard is refused, as on a plain http address, it selects the code. */
function copyButtons(): void {
  for (const figure of document.querySelectorAll("figure.code:not(.printed)")) {
    const code = figure.querySelector("code");
    if (!code) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent ?? "");
        button.textContent = "Copied";
      } catch {
        getSelection()?.selectAllChildren(code);
        button.textContent = "Select and copy";
      }
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2_000);
    });
    figure.append(button);
  }
}

/** The button that opens the list of pages on a phone. */
function pageList(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-menu]");
  button?.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
  });
}

/** Scrolls the list of pages to the current one. */
function sidebarPlace(): void {
  document.querySelector(".sidebar [aria-current]")?.scrollIntoView({ block: "nearest" });
}

/** Marks the current heading in the outline. */
function outlineMarker(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>(".outline a")].map((link) => [link.hash.slice(1), link] as const),
  );
  if (links.size === 0) return;
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  const mark = (): void => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 140);
    const current = links.get((passed.at(-1) ?? headings[0])?.id ?? "");
    for (const link of links.values()) {
      if (link === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  new IntersectionObserver(mark, { rootMargin: "-130px 0px 0px 0px" }).observe(document.body);
  addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
}
