/** Events that no request causes: a background job finds nearly spent budgets and keys that expire, when its time has come. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AiExecution, type AiService, drawn, micros, startAiService, usageOf } from '../harness/ai.ts'
import { area } from '../harness/area.ts'
import { type Client, createClient, ok } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import { createdKeys } from '../harness/created-keys.ts'
import type { CreatedKey } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'

interface Event {
  type: string
  timestamp: string
  data: Record<string, unknown>
}

const dayMs = 86_400_000

area('events of a background job', { isSlow: true }, () => {
  let ai: AiService
  let host: SourceHost
  const received: Event[] = []
  /** A slow response can be late for the first attempt: a delivery that is repeated has the same id. */
  const ids = new Set<unknown>()
  before(async () => {
    host = await startSourceHost()
    ai = await startAiService({ FETCH_ALLOW: 'localhost' })
  })
  after(async () => {
    await Promise.all([ai.close(), host.close()])
  })

  /** The same service, with its clock moved, and without the minute that its jobs wait after the start. */
  async function restart(api: Client, aheadMs: number): Promise<Client> {
    const preload = `
      const { now } = Date
      Date.now = () => now() + ${aheadMs}
      const set = setTimeout
      globalThis.setTimeout = Object.assign((work, ms, ...rest) => set(work, ms === 60_000 ? 100 : ms, ...rest), set)`
    await ai.service.stop()
    ai.service = await ai.service.restart({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
    })
    return createClient(ai.service, String(api.key))
  }

  const arrived = (type: string, count: number) =>
    until(`${count} events ${type}`, () => {
      const events = received.filter((event) => event.type === type)
      return events.length >= count ? events : undefined
    })

  test('a spent budget and a key that expires soon reach a receiver, once', async (t) => {
    if (ai.service.environment.DATABASE_URL !== undefined) return t.skip('the clock is on a server')
    const { accountId, api } = await ai.tenant()
    const url = host.serve('/hook', (request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        const id = request.headers['webhook-id']
        if (!ids.has(id)) received.push(JSON.parse(body) as Event)
        ids.add(id)
        response.writeHead(204).end()
      })
    })
    ok(await api.post('/webhook-endpoints', { url, eventTypes: ['budget.reached', 'key.expiring'] }), 201)
    const expiring = async (name: string, time: string) => {
      const options = ['--account', accountId, '--name', name, '--expires-in', time]
      const created = await runCommand<CreatedKey>(ai.service, 'keys', 'create', ...options)
      createdKeys.push(created.key)
      return created
    }
    const short = await expiring('Short', '30d')
    const longer = await expiring('Longer', '33d')
    const { id: workflowId } = await save(api, drawn())
    const { cost } = ok(await api.post<AiExecution>('/workflows/execute', { workflowId }))
    const usd = cost?.usd ?? assert.fail('the call has no cost')
    await runCommand(ai.service, 'accounts', 'budget', accountId, String(usd))

    const soon = await restart(api, 2 * 60_000)
    const budgets = await arrived('budget.reached', 2)
    const { budget } = await usageOf(soon)
    assert.deepEqual(
      budgets.map(({ data }) => [data.threshold, data.month, micros(Number(data.spentUsd))]).sort(),
      [100, 80].map((threshold) => [threshold, budget.month, micros(usd)]),
    )
    assert.deepEqual(
      received.filter(({ type }) => type === 'key.expiring'),
      [],
    )

    await restart(soon, 24 * dayMs)
    const [notice] = await arrived('key.expiring', 1)
    assert.deepEqual([notice?.data.keyId, notice?.data.name], [short.id, 'Short'])
    const leftDays = (Date.parse(String(notice?.data.expiresAt)) - Date.parse(String(notice?.timestamp))) / dayMs
    assert.ok(leftDays > 5 && leftDays < 7, `${leftDays} days`)

    await restart(soon, 27 * dayMs)
    const notices = await arrived('key.expiring', 2)
    assert.deepEqual(
      notices.map(({ data }) => data.keyId),
      [short.id, longer.id],
    )
    assert.equal(received.length, 4, 'the job has sent each event once')
  })
})
