import Type from 'typebox'
import { limits } from '../../limits.ts'
import { executionAnswer, executionOutput, previewsOf, waitFor } from '../executions.ts'
import { defineTool, reads } from '../tool.ts'

export const getExecution = defineTool({
  name: 'get_execution',
  title: 'Get an execution',
  description:
    'Returns the state and result of an execution, and waits for its end. Use it after a tool said that an execution continues, or to find out which step failed.',
  needs: ['workflows:read', 'workflows:execute'],
  annotations: reads,
  input: Type.Object(
    {
      executionId: Type.String({ description: 'The id, as another tool returned it.' }),
      wait: Type.Integer({
        minimum: 0,
        maximum: limits.mcpWaitSeconds,
        default: limits.mcpWaitSeconds,
        description: 'Seconds to wait for the end.',
      }),
      steps: Type.Boolean({ default: false, description: 'Also return each step with its status, duration and cost.' }),
      show: Type.Array(Type.String(), {
        default: [],
        maxItems: limits.mcpImagesMax - 1,
        description: 'Nodes whose preview to show. Executions of `execute_draft` have previews.',
      }),
    },
    { additionalProperties: false },
  ),
  output: executionOutput,
  async run({ executionId, wait, steps, show }, context) {
    const execution = await waitFor(context, executionId, wait)
    const path = `/workflows/executions/${encodeURIComponent(executionId)}/steps`
    const data = steps ? await context.api.json<{ steps: unknown[] }>('GET', path) : undefined
    const { nodes, images } = await previewsOf(context, executionId, show)
    const shown = show.length === 0 ? {} : { previews: nodes }
    return executionAnswer(context, execution, { data: { ...(data && { steps: data.steps }), ...shown }, images })
  },
})
