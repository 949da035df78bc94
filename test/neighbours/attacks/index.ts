/**
 * The rows of the tests and of the benchmark: each is one way in which an account could stop or slow down the service for
 * others.
 */
import type { Attack } from '../load.ts'
import { runningBatch } from './batches.ts'
import { connections } from './connections.ts'
import { costlySources } from './costly-sources.ts'
import { deliverySizes } from './delivery-urls.ts'
import { heldFetches, runningExecutions } from './held-executions.ts'
import { largeBodies } from './large-bodies.ts'
import { largeTemplates } from './large-templates.ts'
import { largeUploads } from './large-uploads.ts'
import { longContains } from './long-contains.ts'
import { longNumbers } from './long-numbers.ts'
import { longResponses } from './long-responses.ts'
import { longTexts } from './long-texts.ts'
import { pipelinedRequests } from './pipelined-requests.ts'
import { refusedBodies } from './refused-bodies.ts'
import { refusedConnections } from './refused-connections.ts'
import { shortChunks } from './short-chunks.ts'
import { silentNames } from './silent-names.ts'
import { slowWebhooks } from './slow-webhooks.ts'
import { usedWorkflows } from './used-workflows.ts'
import { validateLarge } from './validate.ts'
import { waitingExecutions } from './waiting-executions.ts'
import { wrongKeys } from './wrong-keys.ts'

export const attacks: readonly Attack[] = [
  largeTemplates,
  longContains,
  longNumbers,
  longTexts,
  validateLarge,
  usedWorkflows,
  largeBodies,
  refusedBodies,
  longResponses,
  waitingExecutions(60),
  waitingExecutions(1_200),
  runningBatch,
  largeUploads,
  deliverySizes,
  refusedConnections(500),
  wrongKeys,
  silentNames,
  slowWebhooks,
  costlySources,
  runningExecutions,
  heldFetches,
  connections,
  shortChunks,
  pipelinedRequests,
]
