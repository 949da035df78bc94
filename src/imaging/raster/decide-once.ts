import type { ImagingContext } from '../types.ts'

/** An operation's context, as far as it counts here. */
export type DecisionContext = Pick<ImagingContext, 'decisions'>

/**
 * What an operation reads out of a picture to decide what it does: where to cut, how much light is missing. Of an
 * animation the first frame decides, and the others follow: else it would flicker, or jump. `name` is the operation's own.
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
