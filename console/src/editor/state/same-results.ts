/** Fingerprints by node: those of steps, or of a forecast. */
export type Fingerprints = ReadonlyMap<string, string>

/**
 * Results with the same pixels and different fingerprints: a node and those after it, before and after it was pinned to its own result.
 * The nodes after a pin have other fingerprints, because the nodes before it are not in them.
 */
export interface SameResults {
  /** Two forecasts whose only difference are such pins. */
  note(unpinned: Fingerprints, pinned: Fingerprints): void
  areSame(one: string, other: string): boolean
}

export function createSameResults(): SameResults {
  /** Fingerprint with pins -> without. */
  const unpinned = new Map<string, string>()
  const withoutPins = (fingerprint: string) => unpinned.get(fingerprint) ?? fingerprint
  return {
    note(before, after) {
      for (const [node, pinned] of after) {
        const own = withoutPins(before.get(node) ?? pinned)
        if (own !== pinned) unpinned.set(pinned, own)
      }
    },
    areSame: (one, other) => withoutPins(one) === withoutPins(other),
  }
}
