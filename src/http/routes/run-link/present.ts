/** Converts the page and the executions of run links to response bodies: nothing of nodes, models and costs. */
import { type ParameterValue, visitImages } from '../../../../shared/parameters.ts'
import type { Key } from '../../../domain/accounts/key.ts'
import { timestamp } from '../../../domain/clock.ts'
import type { Execution } from '../../../domain/executions/execution.ts'
import type { ParameterDeclaration, WorkflowExample } from '../../../domain/workflows/workflow.ts'
import type { FailureReason, FaultDetails } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { ImageUrls } from '../../../services/images/image-urls.ts'
import type { RunLinkPage } from '../../../services/workflows/run-links.ts'
import { failedText, sentIssues, sentIssuesText, unusableText } from '../../response/run-link-fault.ts'
import { executionRecord } from '../executions/present.ts'

export function runLinkPage(
  { document, exampleImage, usesModels }: RunLinkPage,
  { expiresAt, executionsPerMinute }: Pick<Key, 'expiresAt' | 'executionsPerMinute'>,
  urls: ImageUrls,
) {
  const { name, description, parameters = [], examples = [] } = document
  return {
    name,
    ...(description === undefined ? {} : { description }),
    parameters,
    examples: examples.map((example) => withoutImages(example, parameters)),
    ...(exampleImage && { exampleImage: exampleOf(exampleImage, urls) }),
    usesModels,
    executionsPerMinute: executionsPerMinute ?? limits.runLinkExecutionsPerMinuteDefault,
    uploadBytesMax: limits.runLinkUploadBytesMax,
    uploadSeconds: limits.runLinkUploadSeconds,
    ...(expiresAt === null ? {} : { expiresAt: timestamp(expiresAt) }),
  }
}

/** Images of examples are for tests of the workflow: their owner has not shared them. */
function withoutImages(
  { parameters = {}, ...example }: WorkflowExample,
  declarations: readonly ParameterDeclaration[],
) {
  const hasImage = (name: string, value: unknown) => {
    const declaration = declarations.find((each) => each.name === name)
    let found = declaration === undefined
    const note = () => {
      found = true
    }
    if (declaration) visitImages(declaration, value as ParameterValue, note, note)
    return found
  }
  const kept = Object.entries(parameters).filter(([name, value]) => !hasImage(name, value))
  return { ...example, parameters: Object.fromEntries(kept) }
}

function exampleOf(image: NonNullable<RunLinkPage['exampleImage']>, urls: ImageUrls) {
  const { width, height, format } = image
  return { url: urls.url(image), width, height, format }
}

export function runLinkExecution(execution: Execution, urls: ImageUrls) {
  const { executionId, status, output, outputs, createdAt } = executionRecord(execution, urls)
  return {
    executionId,
    status,
    ...(output && { output }),
    ...(outputs && { outputs }),
    ...(execution.error && { error: plainError(execution) }),
    createdAt,
  }
}

/** Failures after which the person with the link can do something. */
const reasons: Partial<Record<FailureReason, string>> = {
  account_suspended: unusableText,
  cancelled: 'The run was cancelled.',
  input_not_found: 'An image was removed in the meantime. Choose it again, and run again.',
  provider_rate_limited: 'The AI model has too many requests at the moment. Try again in a minute.',
  provider_refused: 'The AI model refused this content. Change the text or the image, and run again.',
  provider_unavailable: 'The AI model or another server did not respond. Try again in a minute.',
  timeout: 'The run took too long. Try again, perhaps with a smaller image.',
}

const budgets: Record<string, string> = {
  'key day': 'The budget of this link for today is used up.',
  'key month': 'The budget of this link for this month is used up.',
}

/** Messages of steps name nodes, params and models, so they are not part of it. */
function plainError({ id, error }: Execution) {
  if (error === null) return undefined
  const { reason, budget, issues = [] } = error.details as FaultDetails & { budget?: string }
  const sent = sentIssues(issues)
  const ofBudget = budget === undefined ? undefined : (budgets[budget] ?? 'The budget of this page is used up.')
  const ofValues = sent.length === 0 ? undefined : sentIssuesText(sent)
  const message = ofBudget ?? ofValues ?? (reason && reasons[reason]) ?? failedText(`execution ${id}`)
  return { code: error.code, message, ...(reason && { reason }), ...(budget !== undefined && { budget }) }
}
