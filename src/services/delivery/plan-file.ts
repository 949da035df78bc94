/** The checks of the file of a workflow URL before any work: what the document allows, the parameters, the sources and the cost. */
import { isDataUrl } from '../../../shared/parameter-formats.ts'
import type { NewDerivedFile } from '../../domain/delivery/derived-file.ts'
import type { SigningKey } from '../../domain/delivery/signing-key.ts'
import type { Models } from '../../domain/models/model.ts'
import type { ParameterDeclaration } from '../../domain/workflows/workflow.ts'
import { estimateCost } from '../../engine/cache/estimate-cost.ts'
import type { CheckedWorkflow } from '../../engine/check/checked-workflow.ts'
import type { Plan } from '../../engine/plan/plan.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { RequestParameters } from '../executions/request-parameters.ts'
import type { Sources } from '../executions/sources.ts'
import { sourceRule, sourcesOf } from './sources.ts'

export interface FileRequest {
  parameters: readonly (readonly [name: string, value: string])[]
  key: Pick<SigningKey, 'accountId' | 'monthlyBudget'>
  /** Project of the workflow. */
  projectId: string
}

export type FilePlan =
  /** An outcome for the owner of the key: a response to the URL doesn't say why. */
  | { kind: 'denied'; issue: Issue }
  | { kind: 'invalid'; issues: Issue[] }
  | {
      kind: 'planned'
      values: Record<string, unknown>
      facts: Pick<NewDerivedFile, 'maxAge' | 'readsUrls' | 'isPaid' | 'redirects'>
    }

export type PlanFile = (workflow: CheckedWorkflow, request: FileRequest) => Promise<FilePlan>

interface Dependencies {
  requestParameters: Pick<RequestParameters, 'plan'>
  sources: Pick<Sources, 'isForeign'>
  /** Undefined if no model can be called. */
  models: Models | undefined
}

export function createPlanFile({ requestParameters, sources, models }: Dependencies): PlanFile {
  async function foreignSources(plan: Plan) {
    const { known, hasUnknown } = sourcesOf(plan)
    const foreign = await Promise.all(known.map((source) => sources.isForeign(source)))
    return { urls: known.filter((_, i) => foreign[i]), hasUnknown }
  }

  return async (workflow, { parameters, key, projectId }) => {
    const { delivery } = workflow.document
    if (delivery === undefined) return denied('file', 'names a version whose document has no "delivery"')
    const { parameters: allowed = [], maxAge = limits.deliveryMaxAgeSeconds, paid = false, redirect = false } = delivery
    const unlisted = parameters.find(([name]) => !allowed.includes(name))
    if (unlisted) return denied(`parameters.${unlisted[0]}`, 'is not in "delivery.parameters" of the document')
    const dataUrl = parameters.find(hasDataUrl)
    if (dataUrl) return denied(`parameters.${dataUrl[0]}`, 'has a data: URL. Upload the image, and pass its id')
    const values = readParameters(workflow.parameters, parameters)
    const owner = { accountId: key.accountId, projectId }
    const { plan, issues } = await requestParameters.plan(owner, workflow, values)
    if (issues) return { kind: 'invalid', issues }
    const { urls, hasUnknown } = await foreignSources(plan)
    const isAllowed = sourceRule(workflow.document)
    const other = urls.find((url) => !isAllowed(url))
    if (other !== undefined)
      return denied('parameters', `make the workflow read ${other}, whose host is not in "delivery.sources"`)
    // Its beginning: the rest gives other requests their turn.
    const { total } = await estimateCost(plan, new Set(), models)
    const isPaid = total === null || total.maxMicros > 0
    if (isPaid && !paid) return denied('file', 'names a workflow that may cost money without "delivery.paid"')
    if (isPaid && key.monthlyBudget === null)
      return denied('keyId', 'has no monthly budget, and the workflow may cost money')
    const readsUrls = urls.length > 0 || hasUnknown || workflow.brandUses.length > 0
    return { kind: 'planned', values, facts: { maxAge, readsUrls, isPaid, redirects: redirect } }
  }
}

function denied(path: string, message: string): FilePlan {
  return { kind: 'denied', issue: { path, message: `${message}.` } }
}

/** JSON (RFC 8259): no sign but `-`, no leading zeros, no spaces. */
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/**
 * The values that executing the workflow accepts. The text of a number is read as a number; other text stays as it is, because formats such as
 * `boolean` and `json` accept their text. A wrong text stays too, and is reported as a request to execute reports it.
 */
function readParameters(
  declarations: readonly ParameterDeclaration[],
  parameters: readonly (readonly [name: string, text: string])[],
): Record<string, unknown> {
  const numbers = new Set(declarations.filter(({ type }) => type === 'number').map(({ name }) => name))
  return Object.fromEntries(
    parameters.map(([name, text]) => [name, numbers.has(name) && number.test(text) ? Number(text) : text]),
  )
}

/** Whether it has an image as a `data:` URL, which a request would store. */
function hasDataUrl([, text]: readonly [name: string, text: string]): boolean {
  return isDataUrl(text) || /"\s*data:\s*image\//i.test(text)
}
