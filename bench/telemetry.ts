/** The cost of metrics and traces: executions of a service with them, in turns with a service without them. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { applyExamples, createAccount } from './account.ts'
import { call, upload } from './client.ts'
import { photograph, scenarios } from './executions.ts'
import { type Comparison, compare, type Side } from './load.ts'
import { type ServerProcess, startService } from './processes.ts'

export interface TelemetryResult extends Comparison {
  name: string
  enabled: string
}

/** An interval that is usual for Prometheus. */
const scrapeMs = 15_000

export async function measureTelemetry(folder: string): Promise<TelemetryResult[]> {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const plain = await serve(join(folder, 'plain'), {})
  const metrics = await serve(join(folder, 'metrics'), { METRICS_PORT: String(metricsPort) })
  const both = await serve(join(folder, 'both'), {
    METRICS_PORT: String(metricsPort + 1),
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  })
  const timer = setInterval(() => {
    for (const port of [metricsPort, metricsPort + 1])
      fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text(), ignore)
  }, scrapeMs)
  try {
    const results: TelemetryResult[] = []
    for (const name of ['card', 'tiny'] as const) {
      for (const [enabled, service] of [
        ['metrics', metrics],
        ['metrics and traces', both],
      ] as const) {
        const sides = { ours: service[name], bare: plain[name] }
        const load = name === 'card' ? { clients: 1, rounds: 60 } : { clients: 4, rounds: 60, callsPerTurn: 25 }
        await compare(sides, { ...load, rounds: 12 })
        results.push({ name, enabled, ...(await compare(sides, load)) })
      }
    }
    return results
  } finally {
    clearInterval(timer)
    await Promise.all([plain, metrics, both].map(({ service }) => service.stop()))
    collector.close()
    collector.closeAllConnections()
  }
}

/** A port below those of outgoing connections. */
const metricsPort = 19_464

async function serve(dataDir: string, settings: Record<string, string>) {
  const service = await startService(dataDir, settings)
  const account = await createAccount(dataDir, service)
  const [scenario] = scenarios
  if (scenario === undefined) throw new Error('The list of scenarios is empty.')
  const workflows = await applyExamples(dataDir, account, [scenario.name])
  const { path } = await photograph(scenario, dataDir)
  const photo = await upload(`${account.api}/storage/upload`, account.key, await readFile(path), 'photo.jpg')
  const document = {
    name: 'Tiny',
    nodes: { canvas: { type: 'canvas', params: { width: 8, height: 8, color: '#404040' } } },
    output: { node: 'canvas', format: 'png' },
  }
  const tiny = await call<{ id: string }>({ url: `${account.api}/workflows`, key: account.key, json: document })
  const side = (workflowId: string, parameters: Record<string, string>): Side => ({
    pid: service.pid,
    isTree: true,
    call: async () =>
      void (await call({
        url: `${account.api}/workflows/execute`,
        key: account.key,
        json: { workflowId, parameters },
      })),
  })
  return {
    service: service as ServerProcess,
    card: side(workflows.get(scenario.name) ?? '', { ...scenario.parameters, photo: photo.id }),
    tiny: side(tiny.id, {}),
  }
}

function ignore(): void {}
