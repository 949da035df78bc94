import type { Execution, ExecutionStore } from '../../domain/execution.ts'

/** How many executions may resume each other, one after the other, before the first is forgotten. */
const chainMax = 50

/** The ids of those that this one resumes, the nearest first. */
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
