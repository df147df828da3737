/** The newest tips in a response, so that no later response has an older one. */

/** The newest masterchain block of a network, and the newest one that all of its nodes have. */
export interface Tips<Tip> {
  readonly tip: Tip;
  readonly consensus: Tip;
}

/** Keeps the newest tips. They go back only with a new era, which begins when the servers turn out to be of another chain. */
export interface NewestTips<Tip> {
  /** The number of eras before the current one. */
  readonly era: number;
  /** Adds tips, and returns the newest ones; undefined before the first. */
  newest(own: Tips<Tip> | undefined): Tips<Tip> | undefined;
  /** Begins an era with these tips. */
  begin(own: Tips<Tip>): void;
}

/** The number of a tip. */
type SeqnoOf<Tip> = (tip: Tip) => number;

/** Creates them. */
export function newestTips<Tip>(seqnoOf: SeqnoOf<Tip>): NewestTips<Tip> {
  let newest: Tips<Tip> | undefined;
  let era = 0;
  return {
    get era() {
      return era;
    },
    newest: (own) => (newest = newer(newest, own, seqnoOf)),
    begin(own) {
      era += 1;
      newest = own;
    },
  };
}

/** The newer ones of two; of equal ones the first. */
function newer<Tip>(known: Tips<Tip> | undefined, other: Tips<Tip>, seqnoOf: SeqnoOf<Tip>): Tips<Tip>;
function newer<Tip>(known: Tips<Tip> | undefined, other: Tips<Tip> | undefined, seqnoOf: SeqnoOf<Tip>): Tips<Tip> | undefined;
function newer<Tip>(known: Tips<Tip> | undefined, other: Tips<Tip> | undefined, seqnoOf: SeqnoOf<Tip>): Tips<Tip> | undefined {
  if (known === undefined || other === undefined) return known ?? other;
  const tip = seqnoOf(other.tip) > seqnoOf(known.tip) ? other.tip : known.tip;
  const consensus = seqnoOf(other.consensus) > seqnoOf(known.consensus) ? other.consensus : known.consensus;
  return tip === known.tip && consensus === known.consensus ? known : { tip, consensus };
}
