/** Chooses the models for a node and their order, and reports the requirements that they can't meet. */

import { didYouMean } from '../../../shared/suggest.ts'
import { show } from '../../../shared/text.ts'
import type { Capability, ModelRequirements } from '../../domain/models/model.ts'
import type { Issue } from '../../errors.ts'
import { isPattern, rowOf, splitModel, type TableProvider } from './rows.ts'
import { listed, unmetRequirements } from './unmet.ts'

export interface Choosing {
  /** Providers by id, including `local`, in the order in which defaults are searched. */
  providers: ReadonlyMap<string, TableProvider>
  defaults: Partial<Record<Capability, readonly string[]>>
}

export function choose(required: ModelRequirements, choosing: Choosing): { chain: string[]; issues: Issue[] } {
  const named = (required.fallback ?? []).map((model, i) => ({ model, path: `fallback.${i}` }))
  if (required.model !== undefined) named.unshift({ model: required.model, path: 'model' })
  const issues = named.flatMap(({ model, path }) => issuesOf(model, path, required, choosing))
  const chain = named.map(({ model }) => fullName(model))
  if (required.model === undefined) {
    const standard = defaultsFor(required, choosing)
    chain.unshift(...standard.chain)
    issues.push(...standard.issues)
  }
  return { chain: [...new Set(chain)], issues }
}

function defaultsFor(required: ModelRequirements, choosing: Choosing): { chain: string[]; issues: Issue[] } {
  const candidates = candidatesFor(required.capability, choosing)
  const isAble = (model: string) => issuesOf(model, 'model', required, choosing).length === 0
  // Without a model in the node, the first suitable one is used. Only models that the operator listed are its fallbacks.
  const isListed = (choosing.defaults[required.capability]?.length ?? 0) > 0
  const able = isListed ? candidates.filter(isAble) : candidates.values().filter(isAble).take(1).toArray()
  const [first] = candidates
  return { chain: able, issues: able.length > 0 || !first ? [] : issuesOf(first, 'model', required, choosing) }
}

/** Candidates if the node names no model: the operator's list, or the local default and the models of configured providers. */
function candidatesFor(capability: Capability, { providers, defaults }: Choosing): string[] {
  const listed = defaults[capability] ?? []
  if (listed.length > 0) return listed.map(fullName)
  return [...providers.values()].flatMap(({ id, rows, unavailableReason }) => {
    if (id !== 'local' && unavailableReason !== undefined) return []
    const able = rows.filter((row) => row.can[capability] !== undefined && !isPattern(row))
    // Only the first local model: another one would return a different image.
    return (id === 'local' ? able.slice(0, 1) : able).map(({ name }) => `${id}/${name}`)
  })
}

function issuesOf(
  model: string,
  path: string,
  { capability, requirements }: ModelRequirements,
  { providers }: Choosing,
): Issue[] {
  const { provider: id, name } = splitModel(model)
  const provider = providers.get(id)
  if (provider === undefined) {
    const hint =
      namesakes(model, capability, providers) ||
      didYouMean(id, providers.keys()) ||
      `Providers: ${[...providers.keys()].join(', ')}.`
    return [{ path, message: `names the provider ${show(id)}, which doesn't exist. ${hint}` }]
  }
  const row = rowOf(provider.rows, name)
  const traits = row?.can[capability]
  if (traits) return unmetRequirements(id === 'local' ? name : `${id}/${name}`, capability, traits, requirements)
  const able = provider.rows.filter(({ can }) => can[capability] !== undefined).map((row) => row.name)
  if (row === undefined) {
    const noun = id === 'local' ? `the local model ${show(name)}` : `the model ${show(name)} of ${id}`
    const hint = namesakes(model, capability, providers) || didYouMean(name, able) || othersOf(id, able, capability)
    return [{ path, message: `names ${noun}, which doesn't exist. ${hint}` }]
  }
  const others =
    able.length === 0 ? `No model of ${id} does.` : `Models of ${id} that do: ${able.slice(0, 12).join(', ')}.`
  return [{ path, message: `names "${id}/${name}", which doesn't support ${capability}. ${others}` }]
}

/** A hint for a model name without its provider. Empty if no provider has a model of this name. */
function namesakes(model: string, capability: Capability, providers: Choosing['providers']): string {
  const named = [...providers.values()].filter(({ rows }) =>
    rows.some(({ name, can }) => name === model && can[capability] !== undefined),
  )
  return named.length === 0 ? '' : `Did you mean ${listed(named.map(({ id }) => show(`${id}/${model}`)))}?`
}

function othersOf(id: string, able: readonly string[], capability: Capability): string {
  const others =
    able.length === 0
      ? `It has no model for ${capability}.`
      : `Models for ${capability}: ${able.slice(0, 12).join(', ')}.`
  if (id !== 'local') return `${others} The operator can add a model in MODELS_FILE.`
  const howToAdd = 'The operator can add an ONNX model with "tintype models add --manifest FILE".'
  return able.length === 0 ? `${others} Write models of providers as provider/model.` : `${others} ${howToAdd}`
}

export function fullName(model: string): string {
  const { provider, name } = splitModel(model)
  return `${provider}/${name}`
}
