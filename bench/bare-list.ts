/**
 * A bare Fastify route on the database of the service, with the statements of GET /v1/workflows and a response of the
 * same form. Usage: node bench/bare-list.ts DATABASE ACCOUNT; prints its port. GET /workflows?limit=20.
 */
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import fastify from 'fastify'

const [file = '', account = ''] = process.argv.slice(2)
const database = new DatabaseSync(file)
const rows = database.prepare(
  'select * from "workflows" where "account_id" = ? and "deleted_at" is null order by "created_at" desc, "id" desc limit ? offset ?',
)
const count = database.prepare(
  'select count(*) as "total" from "workflows" where "account_id" = ? and "deleted_at" is null',
)

const app = fastify()
app.get<{ Querystring: { limit: string; offset?: string } }>('/workflows', async ({ query }) => {
  const [limit, offset] = [Number(query.limit), Number(query.offset ?? 0)]
  const workflows = rows.all(account, limit, offset).map(({ id, name, project_id, created_at, updated_at }) => ({
    id,
    name,
    projectId: project_id,
    createdAt: new Date(Number(created_at)).toISOString(),
    updatedAt: new Date(Number(updated_at)).toISOString(),
  }))
  const total = Number(count.get(account)?.total)
  return { workflows, total, hasMore: offset + workflows.length < total }
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`port ${(app.server.address() as AddressInfo).port}\n`)
