/** Ways to spoil what goes over the wire, whatever it was. */
import fc from "fast-check";
import type { Attack } from "./draft.ts";

const place = fc.nat({ max: 1000 });

/** What is done to the bytes at last: mostly nothing. */
export const bytesChanged: fc.Arbitrary<(attack: Attack) => Attack> = fc.oneof(
  { weight: 8, arbitrary: fc.constant((attack: Attack) => attack) },
  // In two pieces, wherever that cuts it.
  {
    weight: 2,
    arbitrary: place.map((at) => (attack: Attack) => ({ ...attack, pieces: cut(Buffer.concat(attack.pieces), at) })),
  },
  fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 4 })).map(
    ([at, bytes]) =>
      (attack: Attack) =>
        raw(attack, (all) => {
          const place = at % (all.length + 1);
          return Buffer.concat([all.subarray(0, place), bytes, all.subarray(place + (at % 2 === 0 ? bytes.length : 0))]);
        }),
  ),
  place.map((at) => (attack: Attack) => raw(attack, (all) => all.subarray(0, at % (all.length + 1)))),
  fc.constant((attack: Attack) => raw(attack, (all) => Buffer.concat([all, all]))),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => (attack: Attack) => raw(attack, () => Buffer.from(bytes))),
);

function raw(attack: Attack, change: (bytes: Buffer) => Buffer): Attack {
  return { ...attack, isWhole: false, pieces: [change(Buffer.concat(attack.pieces))] };
}

function cut(bytes: Buffer, at: number): Buffer[] {
  const place = at % (bytes.length + 1);
  return [bytes.subarray(0, place), bytes.subarray(place)];
}
