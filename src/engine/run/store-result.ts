/** Offers the result of a step to the cache. */
import { valuesKeyOf } from '../cache/key.ts'
import { type PackedResult, pack } from '../cache/packed.ts'
import type { StepCache } from '../cache/ports.ts'
import type { StepKey } from '../cache/step-keys.ts'
import { givesImage } from '../check/wires.ts'
import { isSource } from '../plan/dependencies.ts'
import { type StepResult, withoutImages } from '../plan/step-result.ts'
import type { StepState } from './step-state.ts'

/**
 * Resolves immediately, except for a result that cost money: it is stored before any other step reads it, so that no later
 * failure loses it. Does nothing for a step without a key.
 */
export async function storeResult(
  cache: StepCache,
  { planned, areValuesRead }: StepState,
  { identity: { key }, variation }: StepKey,
  result: StepResult,
  durationMs: number,
): Promise<void> {
  if (key === undefined) return
  if (variation) {
    const packed = pack(result)
    if (packed) await cache.keep(variation.key, { ...packed, facts: { ...packed.facts, variation: variation.id } })
    return
  }
  const { operation } = planned.node
  const put = (key: string, packed: PackedResult) =>
    operation.usesModel ? cache.keep(key, packed) : cache.offer(key, packed, durationMs)
  const values = areValuesRead ? pack(withoutImages(result)) : undefined
  if (values) await put(valuesKeyOf(key), values)
  // The images of a source are stored elsewhere already.
  const packed = isSource(planned) || !givesImage(operation) ? undefined : pack(result)
  if (packed) await put(key, packed)
}
