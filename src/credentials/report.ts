/** Converts what the library reads to a report. Everything in it comes from an unknown file, so each list and text is bounded. */
import type { CredentialState } from '../domain/credential-state.ts'
import {
  type CredentialProblem,
  type CredentialsReport,
  executionLabel,
  type ReportedAction,
  type ReportedIngredient,
  type ReportedManifest,
} from '../domain/credentials.ts'
import { limits } from '../limits.ts'
import { problemSentence, trustedCode, untrustedCode } from './problems.ts'

/** The report of the manifest store of a file, as the library returns it. */
export function reportOf(store: unknown): CredentialsReport {
  const { manifests, active_manifest: active, validation_results: results } = fieldsOf(store)
  const bounds = { left: limits.credentialItemsMax, isShortened: false }
  const failed = new Map(itemsOf(fieldsOf(results).ingredientDeltas).map(deltaOf))
  const context: Context = { manifests: fieldsOf(manifests), failed, bounds }
  const report = manifestOf(textOf(active) ?? '', checksOf(fieldsOf(results).activeManifest), context, [])
  return { ...report, isShortened: bounds.isShortened }
}

/** The report of a file whose manifest can't be read. */
export function unreadableReport(code: `tintype.${string}`): CredentialsReport {
  return {
    state: 'invalid',
    problems: [{ code, message: problemSentence(code) }],
    signer: null,
    actions: [],
    ingredients: [],
    assertions: {},
    isShortened: false,
  }
}

interface Context {
  /** By label. */
  manifests: Fields
  /** URI of the record of an ingredient -> checks of the ingredient that fail now and did not when it was used. */
  failed: Map<string, unknown[]>
  bounds: { left: number; isShortened: boolean }
}

interface Checks {
  state: CredentialState
  problems: CredentialProblem[]
  isOwn: boolean
}

type Fields = Readonly<Record<string, unknown>>

/** `path`: the labels of the manifests around it. */
function manifestOf(label: string, checks: Checks, context: Context, path: string[]): ReportedManifest {
  const manifest = fieldsOf(context.manifests[label])
  const { title, signature_info, claim_generator_info, assertions, ingredients } = manifest
  const { issuer, common_name, alg, time } = fieldsOf(signature_info)
  const assertionItems = itemsOf(assertions).map(fieldsOf)
  const within = [...path, label]
  const generator = fieldsOf(itemsOf(claim_generator_info)[0])
  return {
    state: checks.state,
    problems: checks.problems,
    ...optional('title', textOf(title)),
    signer:
      signature_info === undefined || signature_info === null
        ? null
        : {
            ...optional('issuer', textOf(issuer)),
            ...optional('commonName', textOf(common_name)),
            ...optional('algorithm', textOf(alg)),
            ...optional('time', textOf(time)),
            isOwn: checks.isOwn,
          },
    ...optional('claimGenerator', [textOf(generator.name), textOf(generator.version)].filter(Boolean).join(' ')),
    actions: taken(
      assertionItems.filter(({ label }) => /^c2pa\.actions\b/.test(textOf(label) ?? '')).flatMap(actionsOf),
      context,
    ),
    ingredients: taken(itemsOf(ingredients), context).map((each) => ingredientOf(fieldsOf(each), context, within)),
    assertions: ownAssertions(assertionItems, context),
  }
}

function ingredientOf(ingredient: Fields, context: Context, path: string[]): ReportedIngredient {
  const { title, relationship, format, active_manifest, validation_results, label } = ingredient
  const manifest = textOf(active_manifest)
  const about = {
    title: textOf(title) ?? '',
    relationship: textOf(relationship) ?? '',
    ...optional('mediaType', textOf(format)),
  }
  if (manifest === undefined) return { ...about, credentials: null }
  // A manifest in itself would never end.
  if (path.includes(manifest) || path.length > limits.credentialDepthMax) {
    context.bounds.isShortened = true
    return { ...about, credentials: null }
  }
  const uri = `self#jumbf=/c2pa/${path.at(-1)}/c2pa.assertions/${textOf(label)}`
  const recorded = fieldsOf(fieldsOf(validation_results).activeManifest)
  const failure = [...itemsOf(recorded.failure), ...(context.failed.get(uri) ?? [])]
  return { ...about, credentials: manifestOf(manifest, checksOf({ ...recorded, failure }), context, path) }
}

/** State and problems of the checks of one manifest. */
function checksOf(results: unknown): Checks {
  const { success, failure } = fieldsOf(results)
  const problems = itemsOf(failure).map(problemOf)
  const trusted = itemsOf(success)
    .map(fieldsOf)
    .find(({ code }) => code === trustedCode)
  const state = problems.some(({ code }) => code !== untrustedCode) ? 'invalid' : trusted ? 'trusted' : 'valid'
  // Several parts of a manifest can have the same problem.
  const unique = [...new Map(problems.map((problem) => [problem.message, problem])).values()]
  return {
    // Without any check, nothing is known to be right.
    state: success === undefined && failure === undefined ? 'invalid' : state,
    // The most important one first.
    problems: unique
      .sort((a, b) => Number(a.code === untrustedCode) - Number(b.code === untrustedCode))
      .slice(0, problemsMax),
    isOwn: textOf(trusted?.explanation)?.includes('[user_anchors]') ?? false,
  }
}

const problemsMax = 50

function problemOf(check: unknown): CredentialProblem {
  const { code, explanation } = fieldsOf(check)
  const name = textOf(code) ?? 'general.error'
  return { code: name, message: problemSentence(name, textOf(explanation)) }
}

function deltaOf(delta: unknown): [string, unknown[]] {
  const { ingredientAssertionURI, validationDeltas } = fieldsOf(delta)
  return [textOf(ingredientAssertionURI) ?? '', itemsOf(fieldsOf(validationDeltas).failure)]
}

function actionsOf({ data }: Fields): ReportedAction[] {
  return itemsOf(fieldsOf(data).actions).map((each) => {
    const { action, digitalSourceType, softwareAgent, description, when } = fieldsOf(each)
    const agent = fieldsOf(softwareAgent)
    const name = textOf(softwareAgent) ?? [textOf(agent.name), textOf(agent.version)].filter(Boolean).join(' ')
    return {
      action: textOf(action) ?? '',
      ...optional('digitalSourceType', textOf(digitalSourceType)),
      ...optional('softwareAgent', name),
      ...optional('description', textOf(description)),
      ...optional('when', textOf(when)),
    }
  })
}

/** Data of other programs is not reported: it can have any size and shape. */
function ownAssertions(assertions: Fields[], { bounds }: Context): Record<string, unknown> {
  const own = assertions.find(({ label }) => label === executionLabel)
  if (own === undefined) return {}
  const text = JSON.stringify(own.data ?? null, asJson)
  if (text.length <= limits.credentialDataCharsMax) return { [executionLabel]: JSON.parse(text) }
  bounds.isShortened = true
  return {}
}

/** The library returns null as undefined, and large integers as bigint. */
function asJson(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : (value ?? null)
}

/** As many items as the report has room for. */
function taken<Item>(items: Item[], { bounds }: Context): Item[] {
  if (items.length > bounds.left) bounds.isShortened = true
  const first = items.slice(0, bounds.left)
  bounds.left -= first.length
  return first
}

function fieldsOf(value: unknown): Fields {
  if (value instanceof Map) return Object.fromEntries(value)
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, limits.credentialTextCharsMax) : undefined
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [Key in Name]?: Value })
}
