/** All that can be looked up while nothing has run, at once. */
import type { Identities } from './identities.ts'
import { valuesKeyOf } from './key.ts'
import type { PlannedStep } from './planned-step.ts'

/** `valueRead`: nodes whose values templates read. */
export async function knownKeys(
  steps: readonly PlannedStep[],
  identities: Identities | undefined,
  valueRead: ReadonlySet<string>,
): Promise<string[]> {
  const keys = new Set<string>()
  for (const { node } of steps) {
    const early = await identities?.ahead(node.id)
    const key = early?.settled && early.identity.key
    if (key === undefined) continue
    keys.add(key)
    if (valueRead.has(node.id)) keys.add(valuesKeyOf(key))
  }
  return [...keys]
}
