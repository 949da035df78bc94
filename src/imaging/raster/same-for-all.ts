import type { OperationContext } from '../../operations/define.ts'

/** An operation's context, as far as it counts here. */
export type Deciding = Pick<OperationContext, 'decided'>

/**
 * What an operation reads out of a picture to decide what it does: where to cut, how much light is missing. Of an
 * animation the first frame decides, and the others follow: else it would flicker, or jump. `name` is the operation's own.
 */
export function sameForAll<Decision>(
  { decided }: Deciding,
  name: string,
  decide: () => Promise<Decision>,
): Promise<Decision> {
  const before = decided?.get(name)
  if (before) return before as Promise<Decision>
  const decision = decide()
  decided?.set(name, decision)
  return decision
}
