/** Converts what the library reads to a report. Everything in it comes from an unknown file, so each list and text is bounded. */
import type { CredentialState } from '../domain/credentials/credential-state.ts'
import {
  type CredentialProblem,
  type CredentialsReport,
  executionLabel,
  type ReportedAction,
  type ReportedIngredient,
  type ReportedManifest,
} from '../domain/credentials/credentials.ts'
import { limits } from '../limits.ts'
import { problemSentence, signedCode, trustedCode, untrustedCode } from './problems.ts'

/**
 * The report of the manifest store of a file, as the library returns it. `ownManifests`: labels of the manifests whose signature names
 * the certificate of this installation. The library doesn't know whether it is trusted.
 */
export function reportOf(store: unknown, ownManifests: ReadonlySet<string>): CredentialsReport {
  const { manifests, active_manifest: active, validation_results: results } = fieldsOf(store)
  const bounds = { items: limits.credentialItemsMax, chars: limits.credentialReportCharsMax, isShortened: false }
  const failed = new Map(itemsOf(fieldsOf(results).ingredientDeltas).map(deltaOf))
  const context: Context = { manifests: fieldsOf(manifests), failed, withFacts: new Set(), ownManifests, bounds }
  const label = textOf(active) ?? ''
  const report = manifestOf(label, checksOf(fieldsOf(results).activeManifest, ownManifests.has(label)), context, [])
  return { ...(report ?? unreadableReport('tintype.unreadable')), isShortened: bounds.isShortened }
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
  /** Manifests by label. */
  manifests: Fields
  /** URI of the record of an ingredient -> checks of the ingredient that fail now and did not when it was used. */
  failed: Map<string, unknown[]>
  ownManifests: ReadonlySet<string>
  /** Labels of the manifests whose facts are in the report: a manifest can be an ingredient many times. */
  withFacts: Set<string>
  /** The room that is left in the report. */
  bounds: { items: number; chars: number; isShortened: boolean }
}

interface Checks {
  state: CredentialState
  problems: CredentialProblem[]
  isOwn: boolean
}

type Fields = Readonly<Record<string, unknown>>

/** `path`: the labels of the manifests around it. Undefined: the report has no room for it. */
function manifestOf(label: string, checks: Checks, context: Context, path: string[]): ReportedManifest | undefined {
  const { title, signature_info, claim_generator_info, assertions, ingredients } = fieldsOf(context.manifests[label])
  const { issuer, common_name, alg, time } = fieldsOf(signature_info)
  const generator = fieldsOf(itemsOf(claim_generator_info)[0])
  const head = {
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
  }
  if (!fits(head, context)) return undefined
  const assertionItems = itemsOf(assertions).map(fieldsOf)
  const actions = assertionItems.filter(({ label }) => /^c2pa\.actions\b/.test(textOf(label) ?? '')).flatMap(actionsIn)
  const sources = itemsOf(ingredients).map(fieldsOf)
  // The facts of a manifest before those of its ingredients.
  return {
    ...head,
    actions: itemsThatFit(actions, actionOf, context),
    assertions: ownAssertions(label, assertionItems, context),
    ingredients: itemsThatFit(sources, ingredientOf, context).map((ingredient, index) => ({
      ...ingredient,
      credentials: credentialsOf(sources[index] ?? {}, checks.state, context, [...path, label]),
    })),
  }
}

function ingredientOf({ title, relationship, format }: Fields): Omit<ReportedIngredient, 'credentials'> {
  return {
    title: textOf(title) ?? '',
    relationship: textOf(relationship) ?? '',
    ...optional('mediaType', textOf(format)),
  }
}

/**
 * `around`: the state of the manifest around it. Its signer recorded the checks of the ingredient, so an unknown signer can't make it
 * trusted.
 */
function credentialsOf(
  ingredient: Fields,
  around: CredentialState,
  context: Context,
  path: string[],
): ReportedManifest | null {
  const { active_manifest, validation_results, label } = ingredient
  const manifest = textOf(active_manifest)
  if (manifest === undefined) return null
  // A manifest in itself would never end.
  if (path.includes(manifest) || path.length > limits.credentialDepthMax) {
    context.bounds.isShortened = true
    return null
  }
  const uri = `self#jumbf=/c2pa/${path.at(-1)}/c2pa.assertions/${textOf(label)}`
  const recorded = fieldsOf(fieldsOf(validation_results).activeManifest)
  const failure = [...itemsOf(recorded.failure), ...(context.failed.get(uri) ?? [])]
  const checks = checksOf({ ...recorded, failure }, around === 'trusted' && context.ownManifests.has(manifest))
  const state = checks.state === 'trusted' && around !== 'trusted' ? 'valid' : checks.state
  return manifestOf(manifest, { ...checks, state, isOwn: false }, context, path) ?? null
}

/** State and problems of the checks of one manifest. `isOwnLeaf`: its signature names the certificate of this installation. */
function checksOf(results: unknown, isOwnLeaf: boolean): Checks {
  const { success, failure } = fieldsOf(results)
  const problems = itemsOf(failure)
    .map(problemOf)
    .filter(({ code }) => !(isOwnLeaf && code === untrustedCode))
  const passed = new Set(itemsOf(success).map((check) => fieldsOf(check).code))
  // A signer that is unknown now was possibly trusted by the program that recorded the success.
  const isUnknown = problems.some(({ code }) => code === untrustedCode)
  const isTrusted = isOwnLeaf || (passed.has(trustedCode) && !isUnknown)
  const state = problems.some(({ code }) => code !== untrustedCode) ? 'invalid' : isTrusted ? 'trusted' : 'valid'
  // Several parts of a manifest can have the same problem.
  const unique = [...new Map(problems.map((problem) => [problem.message, problem])).values()]
  return {
    // Without any check, nothing is known to be right.
    state: success === undefined && failure === undefined ? 'invalid' : state,
    // The most important one first.
    problems: unique
      .sort((a, b) => Number(a.code === untrustedCode) - Number(b.code === untrustedCode))
      .slice(0, problemsMax),
    // The certificate is public, so anyone can name it in a signature.
    isOwn: isOwnLeaf && passed.has(signedCode),
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

function actionsIn({ data }: Fields): Fields[] {
  return itemsOf(fieldsOf(data).actions).map(fieldsOf)
}

function actionOf({ action, digitalSourceType, softwareAgent, description, when }: Fields): ReportedAction {
  const agent = fieldsOf(softwareAgent)
  const name = textOf(softwareAgent) ?? [textOf(agent.name), textOf(agent.version)].filter(Boolean).join(' ')
  return {
    action: textOf(action) ?? '',
    ...optional('digitalSourceType', textOf(digitalSourceType)),
    ...optional('softwareAgent', name),
    ...optional('description', textOf(description)),
    ...optional('when', textOf(when)),
  }
}

/** Data of other programs is not reported: it can have any size and shape. */
function ownAssertions(manifest: string, assertions: Fields[], context: Context): Record<string, unknown> {
  const executionData = assertions.find(({ label }) => label === executionLabel)
  if (executionData === undefined) return {}
  // They are in the report already.
  if (context.withFacts.has(manifest)) return {}
  context.withFacts.add(manifest)
  const text = JSON.stringify(executionData.data ?? null, asJson)
  const data = text.length <= limits.credentialDataCharsMax ? { [executionLabel]: JSON.parse(text) } : undefined
  if (data && fits(data, context)) return data
  context.bounds.isShortened = true
  return {}
}

/** The library returns null as undefined, and large integers as bigint. */
function asJson(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : (value ?? null)
}

/** The first items, as many as the report has room for. */
function itemsThatFit<Item>(items: Fields[], itemOf: (item: Fields) => Item, context: Context): Item[] {
  const { bounds } = context
  const first: Item[] = []
  for (const value of items) {
    const item = itemOf(value)
    if (bounds.items === 0 || !fits(item, context)) {
      bounds.isShortened = true
      break
    }
    bounds.items -= 1
    first.push(item)
  }
  return first
}

/** Whether the report has room for the value, which is then taken. */
function fits(value: unknown, { bounds }: Context): boolean {
  const { length } = JSON.stringify(value)
  const hasRoom = length <= bounds.chars
  if (hasRoom) bounds.chars -= length
  else bounds.isShortened = true
  return hasRoom
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
