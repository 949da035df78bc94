/** Which local models an operation may run that asks those of providers as well: results are known by them. */

import { type LocalModel, modelVersionKey } from '../../local-models/define-model.ts'
import { localNameOf } from './call-model.ts'
import type { ModelChoice } from './model-params.ts'

/** Those of the chain; where nobody is asked, those that are named, else the first. */
export function localModelsRead(
  ways: readonly { model: LocalModel }[],
  { model, fallback = [] }: Pick<ModelChoice, 'model' | 'fallback'>,
  chain: readonly string[],
): string[] {
  const own = model === undefined ? ways.slice(0, 1).map((way) => way.model.name) : [model]
  const names = (chain.length > 0 ? chain : [...own, ...fallback]).map(localNameOf)
  return ways.flatMap((way) => (names.includes(way.model.name) ? modelVersionKey(way.model) : []))
}
