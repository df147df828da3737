import { Gauge, type Registry } from "prom-client";

/** Adds a gauge with a value for each member; a member without a value has none. */
export type AddMemberGauge<Member> = (
  name: string,
  help: string,
  aggregator: "max" | "min" | "sum",
  value: (member: Member) => number | undefined,
) => void;

/**
 * Gauges of what a process reads from, with a label that names it.
 *
 * @param members - Read for each collection: a member that is gone has no value any more.
 */
export function memberGauges<Member extends { readonly name: string }>(
  registry: Registry,
  prefix: string,
  label: string,
  members: () => readonly Member[],
): AddMemberGauge<Member> {
  return (name, help, aggregator, value) => {
    new Gauge({
      name: `${prefix}_${name}`,
      help,
      labelNames: [label],
      registers: [registry],
      aggregator,
      collect() {
        this.reset();
        for (const member of members()) {
          const known = value(member);
          if (known !== undefined) this.set({ [label]: member.name }, known);
        }
      },
    });
  };
}
