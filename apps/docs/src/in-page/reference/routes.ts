/** Points links and addresses of the reference to Redoc's routes, which are fragments such as `#/blocks/lookupblock`. */

/** Fragments, keyed by id of the operation. */
export type Routes = Readonly<Record<string, string>>;

/** Redirects `#lookupBlock` to the route of that operation, and points the prerendered links, which are paths, to fragments. */
export function followRoutes(routes: Routes): void {
  const follow = (): void => {
    const route = routes[location.hash.slice(1)];
    if (route !== undefined) location.replace(route);
  };
  follow();
  addEventListener("hashchange", follow);
  for (const link of document.querySelectorAll('#redoc a[href^="/"]')) {
    link.setAttribute("href", `#${link.getAttribute("href")}`);
  }
}
