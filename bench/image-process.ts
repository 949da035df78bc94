/** The cost of a separate image process: two services in turns, with IMAGE_PROCESS=separate and =same. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { applyExamples, createAccount } from './account.ts'
import { call, upload } from './client.ts'
import { photograph, type Scenario, scenarios } from './executions.ts'
import { type Comparison, compare, type Side } from './load.ts'
import { type ServerProcess, startService, treeMemoryMiB } from './processes.ts'
import { measureStarts, type StartResult } from './starts.ts'

export interface ImageProcessResults {
  /** CPU of all processes of a service, per request. `ours`: separate. */
  requests: (Comparison & { name: string; clients: number })[]
  /** MiB, idle and after the requests. */
  memory: Record<Mode, { idle: number; used: number }>
  starts: Record<Mode, StartResult>
}

const modes = ['separate', 'same'] as const
type Mode = (typeof modes)[number]

/** Requests of one client, or of four. */
const rounds = { execution: { one: 24, four: 12 }, tiny: { one: 8, four: 8 }, upload: { one: 24, four: 12 } }
const tinyCallsPerTurn = 25

export async function measureImageProcess(folder: string): Promise<ImageProcessResults> {
  const starts = {
    separate: await measureStarts(folder, { IMAGE_PROCESS: 'separate' }),
    same: await measureStarts(folder, { IMAGE_PROCESS: 'same' }),
  }
  const services: ServerProcess[] = []
  try {
    const started = await Promise.all(
      modes.map(async (mode) => {
        const dataDir = join(folder, `image-process-${mode}`)
        const service = await startService(dataDir, { IMAGE_PROCESS: mode })
        services.push(service)
        return { mode, service, idle: treeMemoryMiB(service.pid), ...(await prepare(dataDir, service, folder)) }
      }),
    )
    const [ours, bare] = started
    if (ours === undefined || bare === undefined) throw new Error('both services must run')
    const requests: ImageProcessResults['requests'] = []
    for (const { name, kind } of ours.work) {
      const sides = { ours: sideOf(ours, name), bare: sideOf(bare, name) }
      const callsPerTurn = kind === 'tiny' ? tinyCallsPerTurn : 1
      await compare(sides, { clients: 1, rounds: 6, callsPerTurn })
      for (const clients of [1, 4]) {
        const options = { clients, rounds: rounds[kind][clients === 1 ? 'one' : 'four'], callsPerTurn }
        requests.push({ name, clients, ...(await compare(sides, options)) })
      }
    }
    const memoryOf = ({ service, idle }: typeof ours) => ({ idle, used: treeMemoryMiB(service.pid) })
    return { requests, memory: { separate: memoryOf(ours), same: memoryOf(bare) }, starts }
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
}

interface Work {
  name: string
  kind: keyof typeof rounds
  run(): Promise<unknown>
}

async function prepare(dataDir: string, service: ServerProcess, folder: string): Promise<{ work: Work[] }> {
  const account = await createAccount(dataDir, service)
  const { api, key } = account
  const workflows = await applyExamples(
    dataDir,
    account,
    scenarios.map(({ name }) => name),
  )
  const execute = (workflowId: string, parameters: object) =>
    call({ url: `${api}/workflows/execute`, key, json: { workflowId, parameters } })
  const work: Work[] = []
  for (const scenario of scenarios) {
    const bytes = await readFile((await photograph(scenario, folder)).path)
    const photo = await upload(`${api}/storage/upload`, key, bytes, 'photo.jpg')
    const parameters = { ...scenario.parameters, photo: photo.id }
    const workflowId = workflows.get(scenario.name) ?? ''
    work.push({ name: scenario.name, kind: 'execution', run: () => execute(workflowId, parameters) })
  }
  const tiny = {
    name: 'Tiny',
    nodes: { canvas: { type: 'canvas', params: { width: 8, height: 8, color: '#404040' } } },
    output: { node: 'canvas', format: 'png' },
  }
  const { id } = await call<{ id: string }>({ url: `${api}/workflows`, key, json: tiny })
  work.push({ name: 'canvas of 8 x 8', kind: 'tiny', run: () => execute(id, {}) })
  const photo = await readFile((await photograph(scenarios[1] as Scenario, folder)).path)
  const send = () => upload(`${api}/storage/upload`, key, photo, 'photo.jpg')
  work.push({ name: 'upload of a photograph', kind: 'upload', run: send })
  return { work }
}

function sideOf({ service, work }: { service: ServerProcess; work: Work[] }, name: string): Side {
  const found = work.find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return { pid: service.pid, isTree: true, call: async () => void (await found.run()) }
}
