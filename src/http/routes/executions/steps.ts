import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { stepRecord, stepsUrlOf } from './present.ts'
import { StepRecord } from './schema.ts'

export const listSteps = defineRoute({
  id: 'executions.steps',
  method: 'GET',
  path: '/workflows/executions/{executionId}/steps',
  summary: 'List the steps of an execution',
  tag: 'Executions',
  permission: ['workflows:read', 'workflows:execute'],
  params: Type.Object({ executionId: id('The id of the execution.') }),
  reply: {
    status: 200,
    description: 'The steps in the order of the plan. Empty before the execution starts.',
    schema: Type.Object({ executionId: Type.String(), steps: Type.Array(StepRecord) }, named('Steps')),
  },
  errors: ['not_found'],
  async handle({ params: { executionId }, caller }, services) {
    const steps = await services.executions.steps(caller.account.id, executionId)
    const stepsUrl = stepsUrlOf(executionId, services)
    return { body: { executionId, steps: steps.map((step) => stepRecord(step, stepsUrl)) } }
  },
})
