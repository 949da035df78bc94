/** The settings of AI nodes that only some models have. */
import { isTemplate } from '../../../../shared/values.ts'
import type { Schemas } from '../../api/types.ts'

type Providers = Schemas['Providers']
type Features = Schemas['ModelCapability']

/**
 * Whether the model of a node accepts a seed: the chosen model, or one that the service tries if the node names none. True if
 * that isn't known, as for a template.
 */
export function acceptsSeed({ providers, defaults }: Providers, capability: string, model: unknown): boolean {
  if (isTemplate(model)) return true
  const named = typeof model === 'string' && model !== '' ? [model] : undefined
  const models = named ?? defaults[capability as keyof typeof defaults] ?? []
  return models.some((name) => {
    const features = featuresOf(providers, capability, name)
    return features === undefined || features.seed === true
  })
}

/**
 * Features of a model, found by its name, or else by the longest name with `*` that matches. Undefined for an unknown
 * model.
 */
function featuresOf(providers: Providers['providers'], capability: string, model: string): Features | undefined {
  const name = model.includes('/') ? model : `local/${model}`
  const able = providers.flatMap((provider) => provider.models.filter(({ can }) => Object.hasOwn(can, capability)))
  const [best] = able
    .filter((row) => row.model === name || (row.model.endsWith('*') && name.startsWith(row.model.slice(0, -1))))
    .toSorted((a, b) => Number(b.model === name) - Number(a.model === name) || b.model.length - a.model.length)
  return best?.can[capability]
}
