/** Finds an earlier run of a workflow, to show it again. */
import { type LiveExecution, readExecution } from '../../api/execution-events.ts'
import { listExecutions } from '../../api/executions.ts'

/** Older runs are not looked for. */
const lookedAtMax = 100

/** The newest run of the draft with previews; undefined if none is among the newest executions of the workflow. */
export async function loadLastRun(workflowId: string, signal: AbortSignal): Promise<LiveExecution | undefined> {
  const { executions } = await listExecutions({ workflowId }, { limit: lookedAtMax, offset: 0 }, signal)
  const last = executions.find(({ draft, previews }) => draft && previews)
  return last && readExecution(last.executionId, signal)
}

/** Throws if the execution is one of another workflow. */
export async function loadExecution(
  workflowId: string,
  executionId: string,
  signal: AbortSignal,
): Promise<LiveExecution> {
  const live = await readExecution(executionId, signal)
  if (live.execution.workflowId !== workflowId) throw new Error(`The execution ${executionId} ran another workflow.`)
  return live
}
