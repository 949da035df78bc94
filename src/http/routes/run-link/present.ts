/** Converts the page and the executions of run links to response bodies: nothing of nodes, models and costs. */
import { type ParameterValue, visitImages } from '../../../../shared/parameters.ts'
import type { Key } from '../../../domain/accounts/key.ts'
import { timestamp } from '../../../domain/clock.ts'
import type { Execution } from '../../../domain/executions/execution.ts'
import type { ParameterDeclaration, WorkflowExample } from '../../../domain/workflows/workflow.ts'
import type { FailureReason } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { ImageUrls } from '../../../services/images/image-urls.ts'
import type { RunLinkPage } from '../../../services/workflows/run-links.ts'
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
    ...(execution.error && { error: plainError(execution.error) }),
    createdAt,
  }
}

/** Texts for a person who can't change the workflow. */
const reasons: Partial<Record<FailureReason, string>> = {
  account_suspended: 'This link can’t be used at the moment. Ask the person who shared it.',
  cancelled: 'The person who shared this link stopped the run.',
  input_not_found: 'An image was removed in the meantime. Choose it again, and run again.',
  provider_not_configured: 'The AI model of this page is not available. Ask the person who shared the link.',
  provider_rate_limited: 'The AI model has too many requests at the moment. Try again in a minute.',
  provider_refused: 'The AI model refused this content. Change the text or the image, and run again.',
  provider_unavailable: 'The AI model or another server did not respond. Try again in a minute.',
  timeout: 'The run took too long. Try again, perhaps with a smaller image.',
}

const budgets: Record<string, string> = {
  'key day': 'The budget of this link for today is used up.',
  'key month': 'The budget of this link for this month is used up.',
}

function plainError({ code, message, details }: NonNullable<Execution['error']>) {
  const { reason, budget } = details as { reason?: FailureReason; budget?: string }
  const ofBudget = budget === undefined ? undefined : (budgets[budget] ?? 'The budget of this page is used up.')
  // The values of the person can be wrong, so the message of the step helps.
  const ofValues = reason === 'input_invalid' || reason === 'limit_exceeded' ? message : undefined
  const text = ofBudget ?? ofValues ?? (reason && reasons[reason]) ?? 'The image could not be made. Try again.'
  return { code, message: text, ...(reason && { reason }), ...(budget !== undefined && { budget }) }
}
