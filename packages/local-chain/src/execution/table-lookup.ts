/** What is used of WebAssembly here; the types of Node do not name it. */
interface Global {
  readonly WebAssembly: { readonly Table: { readonly prototype: TableLookup } };
}

interface TableLookup {
  get(index: number): unknown;
}

/**
 * Makes functions of WebAssembly tables quick to look up, in this thread. The executor asks its table for a function at every call
 * that may throw, which is a seventh of its time; from now on a table remembers what it was asked for. For a thread whose tables
 * never change.
 */
export function rememberTableLookups(): void {
  const { prototype } = (globalThis as unknown as Global).WebAssembly.Table;
  const { get } = prototype;
  prototype.get = function (this: TableLookup, first: number): unknown {
    const known: unknown[] = [];
    const lookUp = (index: number): unknown => {
      known[index] ??= get.call(this, index);
      return known[index];
    };
    Object.defineProperty(this, "get", { value: lookUp });
    return lookUp(first);
  };
}
