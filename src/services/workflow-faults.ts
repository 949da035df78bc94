import { show } from '../../shared/text.ts'
import { QuotaReached } from '../domain/quota.ts'
import { UsedWorkflowDeleted } from '../domain/workflow.ts'
import { Fault, invalidRequest } from '../errors.ts'

/** Writes a workflow or a draft. Throws the error for the caller if the store refuses it. */
export async function orFault<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof QuotaReached) throw quotaReached(error)
    if (error instanceof UsedWorkflowDeleted) throw usedDeleted(error)
    throw error
  }
}

function quotaReached({ quota, limit }: QuotaReached): Fault {
  const message = `The account has ${limit} ${quota}, the maximum. Delete ${quota} that you don't need.`
  return new Fault('forbidden', message, { quota, limit })
}

/** Names the used workflow that was deleted in the meantime. */
function usedDeleted({ use }: UsedWorkflowDeleted): Fault {
  const message = `use ${show(use.name)}, which was deleted in the meantime. Use another workflow.`
  return invalidRequest([{ path: 'nodes', message }])
}
