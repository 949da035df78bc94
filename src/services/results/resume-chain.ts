import type { Execution, ExecutionStore } from '../../domain/executions/execution.ts'

/** The most executions in a chain. Earlier ones are ignored. */
const chainMax = 50

/** The ids of the executions that this one resumes, the most recent first. */
export async function findResumeChain(
  { accountId, resumedFrom }: Pick<Execution, 'accountId' | 'resumedFrom'>,
  executions: Pick<ExecutionStore, 'find'>,
): Promise<string[]> {
  const ids: string[] = []
  for (let id = resumedFrom; id !== undefined && ids.length < chainMax; ) {
    ids.push(id)
    id = (await executions.find(accountId, id))?.resumedFrom
  }
  return ids
}
