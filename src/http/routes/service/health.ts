import Type from 'typebox'
import { Fault } from '../../../errors.ts'
import { defineRoute } from '../../define-route.ts'

const Healthy = Type.Object({ status: Type.Literal('ok') })

export const getLiveness = defineRoute({
  id: 'service.live',
  method: 'GET',
  path: '/health/live',
  root: 'also',
  summary: 'Whether the process answers',
  tag: 'Service',
  permission: 'public',
  reply: { status: 200, description: 'It does.', schema: Healthy },
  handle: () => ({ body: { status: 'ok' } }),
})

export const getReadiness = defineRoute({
  id: 'service.ready',
  method: 'GET',
  path: '/health/ready',
  root: 'also',
  summary: 'Whether the service can take work: records and bytes can be read and written',
  tag: 'Service',
  permission: 'public',
  reply: { status: 200, description: 'It can.', schema: Healthy },
  async handle(_request, { readiness }) {
    const problem = await readiness()
    if (problem !== undefined) throw new Fault('unavailable', problem)
    return { body: { status: 'ok' } }
  },
})
