/** Operations by their ids: `#lookupBlock` leads to where Redoc's router shows that operation, under whatever tag it stands. */

/** Follows such an address now and whenever one is followed later. `routes` are by the id of the operation. */
export function deepLinks(routes: Readonly<Record<string, string>>): void {
  const follow = (): void => {
    const route = routes[location.hash.slice(1)];
    if (route !== undefined) location.replace(route);
  };
  follow();
  addEventListener("hashchange", follow);
}
