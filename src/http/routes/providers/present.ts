/** Converts providers and their models to response bodies. */
import type { Capability, ModelFacts, ModelTraits, ProviderFacts } from '../../../domain/models/model.ts'

export function providerRecord({ id, title, summary, docsUrl, ...facts }: ProviderFacts & { missing: string[] }) {
  const { isConfigured, unavailableReason, missing, models } = facts
  return {
    id,
    title,
    summary,
    docsUrl: docsUrl ?? null,
    configured: isConfigured,
    missing,
    problem: isConfigured ? null : (unavailableReason ?? null),
    capabilities: [...new Set(models.flatMap(({ can }) => Object.keys(can)))],
    models: models.map((model) => modelRecord(id, model)),
  }
}

function modelRecord(provider: string, { name, can, price, defaultFor, unavailableReason, local }: ModelFacts) {
  return {
    model: `${provider}/${name}`,
    can: Object.fromEntries(
      (Object.entries(can) as [Capability, ModelTraits][]).map(([capability, traits]) => [
        capability,
        { ...traits, price: price?.[capability] ?? null },
      ]),
    ),
    defaultFor,
    problem: unavailableReason ?? null,
    ...(local && { local }),
  }
}
