/** Executions that called AI models, with their steps: they show the results to choose from, and the usual price. */
import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import type { LiveExecution } from './execution-events.ts'
import { isEnded, listExecutions } from './executions.ts'

/** Older executions are not looked for. */
const lookedAtMax = 100

/** The steps of an execution that has ended. They never change. */
export const endedStepsQuery = (executionId: string) =>
  queryOptions({
    queryKey: ['execution', executionId, 'steps'],
    queryFn: async ({ signal }) =>
      (
        await unwrap(
          api.GET('/workflows/executions/{executionId}/steps', { params: { path: { executionId } }, signal }),
        )
      ).steps,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The newest `count` of them, the newest first. */
export const paidRunsQuery = (workflowId: string, count: number) =>
  queryOptions({
    queryKey: ['executions', 'paid', workflowId, count],
    async queryFn({ signal, client }): Promise<LiveExecution[]> {
      const { executions } = await listExecutions({ workflowId }, { limit: lookedAtMax }, signal)
      const paid = executions.filter((execution) => isEnded(execution) && execution.cost !== undefined).slice(0, count)
      return Promise.all(
        paid.map(async (execution) => ({
          execution,
          steps: await client.ensureQueryData(endedStepsQuery(execution.executionId)),
        })),
      )
    },
  })
