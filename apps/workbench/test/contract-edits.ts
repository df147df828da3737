/** Edits of a copy of a bundle. A place is the keys that lead to it. */

/** Any object of a bundle. */
export interface Json {
  [member: string]: unknown;
}

export type Place = readonly (string | number)[];
export type Edit = (contract: Json) => void;

/** Puts a value where nothing or another one was. */
export function put(place: Place, value: unknown): Edit {
  return (contract) => {
    holder(contract, place)[lastOf(place)] = value;
  };
}

/** Takes a member away. */
export function drop(place: Place): Edit {
  return (contract) => {
    const from = holder(contract, place);
    if (!(lastOf(place) in from)) throw new Error(`${place.join(" ")}: nothing to take away`);
    delete from[lastOf(place)];
  };
}

/** Puts a value at the end of a list. */
export function push(place: Place, value: unknown): Edit {
  return (contract) => listAt(contract, place).push(value);
}

/** Takes a value, or the one at an index, out of a list. */
export function pull(place: Place, value: string | number): Edit {
  return (contract) => {
    const list = listAt(contract, place);
    const index = typeof value === "number" ? value : list.indexOf(value);
    if (!(index in list)) throw new Error(`${place.join(" ")}: no ${value} to take out`);
    list.splice(index, 1);
  };
}

/** Gives a member another name, and keeps its place among the others. */
export function rename(place: Place, name: string): Edit {
  return (contract) => {
    const from = holder(contract, place);
    const members = Object.entries(from);
    for (const [key] of members) delete from[key];
    for (const [key, value] of members) from[key === lastOf(place) ? name : key] = value;
  };
}

/** Puts a copy of what is at one place at another one. */
export function copy(from: Place, to: Place): Edit {
  return (contract) => put(to, structuredClone(holder(contract, from)[lastOf(from)]))(contract);
}

/** Replaces a text wherever it begins a string or a name. */
export function everywhere(text: string, other: string): Edit {
  return (contract) => {
    const whole: Json = JSON.parse(JSON.stringify(contract).replaceAll(`"${text}`, `"${other}`));
    for (const key of Object.keys(contract)) delete contract[key];
    Object.assign(contract, whole);
  };
}

function holder(contract: Json, place: Place): Json {
  return place.slice(0, -1).reduce<Json>((node, key) => {
    const next = node[key];
    if (typeof next !== "object" || next === null) throw new Error(`${place.join(" ")}: there is no ${key}`);
    return next as Json;
  }, contract);
}

function listAt(contract: Json, place: Place): unknown[] {
  const list = holder(contract, place)[lastOf(place)];
  if (!Array.isArray(list)) throw new Error(`${place.join(" ")}: not a list`);
  return list;
}

function lastOf(place: Place): string | number {
  return place.at(-1) ?? "";
}
