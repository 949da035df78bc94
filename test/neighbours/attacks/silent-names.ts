import type { Document } from '../../harness/documents.ts'
import { until } from '../../harness/wait.ts'
import { type Attack, repeat } from '../load.ts'

const sources = 12

/** Security review, 7: look-ups by getaddrinfo, of which four threads serve all accounts, and nothing cancels them. */
export const silentNames: Attack = {
  name: `executions with ${sources} image sources on a silent name server`,
  fetches: true,
  async start({ a, names }) {
    const urls = Array.from({ length: sources }, (_, i) => `http://a${i}.silent.test/i.png`)
    const text = JSON.stringify({ workflowId: await a.save(sheetOf(urls)) })
    const load = repeat(2, (_n, signal) => a.send('POST', '/workflows/execute', { text, signal }))
    const looked = () => new Set(names.requested.flatMap((each) => /^a\d+\.silent\.test/.exec(each)?.[0] ?? []))
    await until('a look-up of each name', () => looked().size === sources || undefined)
    return load
  },
}

/** One execution that loads all of these images at the same time. */
export function sheetOf(urls: string[]): Document {
  const loads = urls.map((source, i) => [`load${i}`, { type: 'image', params: { source } }] as const)
  return {
    name: 'A sheet of images',
    nodes: {
      ...Object.fromEntries(loads),
      sheet: { type: 'grid', inputs: { images: loads.map(([name]) => name) }, params: { cellWidth: 8, cellHeight: 6 } },
    },
    output: { node: 'sheet', format: 'png' },
  }
}
