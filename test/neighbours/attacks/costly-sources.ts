import { deflateSync } from 'node:zlib'
import { chunk } from '../../../src/imaging/raster/read/png-chunks.ts'
import { costlyProfile, pngWith } from '../../../src/imaging/raster/test-costly-files.ts'
import { scale } from '../../harness/documents.ts'
import { until } from '../../harness/wait.ts'
import { type Attack, repeat } from '../load.ts'

/** Their decoders are busy until the limit of CPU time, for each source again. */
export const costlySources: Attack = {
  name: 'executions with URL sources that keep a decoder busy until its limit of CPU time',
  fetches: true,
  async start({ a, outside, sourceUrl }) {
    const workflowId = await a.save(scale())
    const png = await pngWith([chunk('iCCP', Buffer.from('x\0\0'), deflateSync(costlyProfile(20_000)))], 1_000)
    outside.serve('/costly', (_request, response) => response.end(png))
    const isFetched = () => outside.requested.some((path) => path.startsWith('/costly')) || undefined
    const load = repeat(4, (n, signal) => {
      const json = { workflowId, parameters: { source: sourceUrl(`/costly?${n}`) } }
      return a.send('POST', '/workflows/execute', { json, signal })
    })
    await until('a download of A', isFetched)
    return load
  },
}
