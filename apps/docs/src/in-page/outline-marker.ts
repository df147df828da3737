/** Marks the heading that is being read in the list of headings. */
export function outlineMarker(): void {
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
