/** GET /workflows?limit=20 of an account with 1,000 workflows, compared with a bare Fastify route with the same statements. */
import { join } from 'node:path'
import { createAccount } from './account.ts'
import { call } from './client.ts'
import { type Comparison, compare } from './load.ts'
import { type ServerProcess, startBare } from './processes.ts'

export const workflowCount = 1_000

interface Page {
  workflows: { id: string }[]
  total: number
}

export async function measureList(
  service: ServerProcess,
  dataDir: string,
): Promise<(Comparison & { clients: number })[]> {
  const account = await createAccount(dataDir, service)
  for (let i = 1; i <= workflowCount; i += 1) {
    const canvas = { type: 'canvas', params: { width: 8, height: 8, color: 'white' } }
    const json = { name: `Workflow ${i}`, nodes: { canvas }, output: { node: 'canvas' } }
    await call({ url: `${account.api}/workflows`, key: account.key, json })
  }
  const bare = await startBare(service, './bare-list.ts', join(dataDir, 'tintype.db'), account.id)
  try {
    const ours = () => call<Page>({ url: `${account.api}/workflows?limit=20`, key: account.key })
    const ofBare = () => call<Page>({ url: `${bare.url}/workflows?limit=20` })
    // The bare route has no cursor.
    const pages = [await ours(), await ofBare()].map(({ workflows, total }) => JSON.stringify({ workflows, total }))
    if (pages[0] !== pages[1]) throw new Error('the two lists differ, so nothing can be compared')
    const sides = {
      ours: { pid: service.pid, isTree: true, call: async () => void (await ours()) },
      bare: { pid: bare.pid, call: async () => void (await ofBare()) },
    }
    await compare(sides, { clients: 4, rounds: 4, callsPerTurn: 250 })
    const results = []
    for (const clients of [1, 4]) {
      const measured = await compare(sides, { clients, rounds: 16, callsPerTurn: 400 / clients })
      results.push({ ...measured, clients })
    }
    return results
  } finally {
    await bare.stop()
  }
}
