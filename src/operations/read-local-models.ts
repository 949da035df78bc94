/** Which local models an operation may run that asks those of providers as well: results are known by them. */
import { localNameOf } from './ask-model.ts'
import type { ModelChoice } from './model-params.ts'
import { type LocalModel, nameOf } from './models/define-model.ts'

/** Those that are named; where none is, all: which one runs is then set by whoever runs the service. */
export function localModelsRead(
  ways: readonly { model: LocalModel }[],
  { model, fallback = [] }: Pick<ModelChoice, 'model' | 'fallback'>,
): string[] {
  const names = model === undefined ? undefined : [model, ...fallback].map(localNameOf)
  return ways.flatMap((way) => (names === undefined || names.includes(way.model.name) ? nameOf(way.model) : []))
}
