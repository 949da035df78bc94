import { show } from '../../../shared/text.ts'
import { UsedWorkflowDeleted } from '../../domain/workflows/workflow.ts'
import { type Fault, invalidRequest } from '../../errors.ts'

/** Writes a workflow or a draft. Throws the error for the caller if the store refuses it. */
export async function orFault<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof UsedWorkflowDeleted) throw usedDeleted(error)
    throw error
  }
}

/** Names the used workflow that was deleted in the meantime. */
function usedDeleted({ use }: UsedWorkflowDeleted): Fault {
  const message = `use ${show(use.name)}, which was deleted in the meantime. Use another workflow.`
  return invalidRequest([{ path: 'nodes', message }])
}
