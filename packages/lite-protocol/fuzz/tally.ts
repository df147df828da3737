/** Collects outcomes of frames. */
export class Tally {
  readonly outcomes: Map<string, number> = new Map();
  readonly faults: string[] = [];

  count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  fault(fault: string): void {
    if (this.faults.length < 20) this.faults.push(fault);
  }
}
