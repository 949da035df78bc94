/** The tools that every account has. Few, because a client reads all of them before its first call. */
import type { Tool } from '../tool.ts'
import { compareDraft, executeDraft, publishDraft, saveDraft, validateWorkflow } from './drafts.ts'
import { getExecution } from './get-execution.ts'
import { listImages, uploadImage } from './images.ts'
import { readGuide } from './read-guide.ts'
import { searchOperations } from './search-operations.ts'
import { getWorkflow, listWorkflows } from './workflows.ts'

export const tools: readonly Tool[] = [
  readGuide,
  searchOperations,
  listWorkflows,
  getWorkflow,
  validateWorkflow,
  saveDraft,
  executeDraft,
  compareDraft,
  publishDraft,
  uploadImage,
  listImages,
  getExecution,
]
