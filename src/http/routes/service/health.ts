import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { Fault } from '../../../errors.ts'
import { defineRoute } from '../../define-route.ts'
import type { Services } from '../../services.ts'

const Healthy = Type.Object({ status: Type.Literal('ok') }, named('Health'))

export const getHealth = defineRoute({
  id: 'service.health',
  method: 'GET',
  path: '/health',
  root: 'also',
  summary: 'Get the version, and check that the service is ready, as `/health/ready` does',
  tag: 'Service',
  permission: 'public',
  isHealth: true,
  reply: {
    status: 200,
    description: 'The service is ready.',
    schema: Type.Object({ ...Healthy.properties, version: Type.String() }, named('HealthAndVersion')),
  },
  async handle(_request, { readiness, version }) {
    return { body: { ...(await ready(readiness)), version } }
  },
})

export const getLiveness = defineRoute({
  id: 'service.live',
  method: 'GET',
  path: '/health/live',
  root: 'also',
  summary: 'Check that the process is running',
  tag: 'Service',
  permission: 'public',
  isHealth: true,
  reply: { status: 200, description: 'The process is running.', schema: Healthy },
  handle: () => ({ body: { status: 'ok' } }),
})

export const getReadiness = defineRoute({
  id: 'service.ready',
  method: 'GET',
  path: '/health/ready',
  root: 'also',
  summary: 'Check that the service is ready: the database and the image storage can be read and written',
  tag: 'Service',
  permission: 'public',
  isHealth: true,
  reply: { status: 200, description: 'The service is ready.', schema: Healthy },
  async handle(_request, { readiness }) {
    return { body: await ready(readiness) }
  },
})

async function ready(readiness: Services['readiness']): Promise<{ status: 'ok' }> {
  const problem = await readiness()
  if (problem !== undefined) throw new Fault('unavailable', problem)
  return { status: 'ok' }
}
