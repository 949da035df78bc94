import type { ImagingContext } from '../types.ts'

/** The part of an operation's context with the decisions. */
export type DecisionContext = Pick<ImagingContext, 'decisions'>

/**
 * Runs `decide` for the first frame of an animation and returns the same decision for all others. Use it for anything
 * that an operation measures to decide what to do (where to crop, how much to brighten): separate decisions would
 * make the animation flicker or jump. `name` is unique within the operation.
 */
export function decideOnce<Decision>(
  { decisions }: DecisionContext,
  name: string,
  decide: () => Promise<Decision>,
): Promise<Decision> {
  const before = decisions?.get(name)
  if (before) return before as Promise<Decision>
  const decision = decide()
  decisions?.set(name, decision)
  return decision
}
