/** The local models that an operation may run if it also calls providers; they become part of the cache key. */

import { type LocalModel, modelVersionKey } from '../../local-models/define-model.ts'
import { localNameOf } from './call-model.ts'
import type { ModelChoice } from './model-params.ts'

/** The local models of the chain; without a chain, the named ones, otherwise the first. */
export function localModelsRead(
  ways: readonly { model: LocalModel }[],
  { model, fallback = [] }: Pick<ModelChoice, 'model' | 'fallback'>,
  chain: readonly string[],
): string[] {
  const named = model === undefined ? ways.slice(0, 1).map((way) => way.model.name) : [model]
  const names = (chain.length > 0 ? chain : [...named, ...fallback]).map(localNameOf)
  return ways.flatMap((way) => (names.includes(way.model.name) ? (modelVersionKey(way.model) ?? []) : []))
}
