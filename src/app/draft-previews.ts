/** Composition of previews of drafts, in this process or in its executor. */
import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { type Config, memoryBytes } from '../config/config.ts'
import type { FairQueue } from '../domain/fair-queue.ts'
import type { Executor } from '../executor/executor.ts'
import type { Imaging } from '../imaging/raster/imaging.ts'
import { limits } from '../limits.ts'
import type { Sources } from '../services/executions/sources.ts'
import { createPreviewMemory } from '../services/results/preview-memory.ts'
import { createDraftPreviews, type DraftPreviews } from '../services/workflows/draft-previews.ts'

type Parts = Pick<
  Parameters<typeof createDraftPreviews>[0],
  'runnableDrafts' | 'requestParameters' | 'stepReuse' | 'processes' | 'pixels' | 'clock'
> & {
  config: Config
  log: Logger
  imaging: Imaging
  sources: Sources
  places: FairQueue
  executor: Executor | undefined
}

export function createPreviewing({ config, log, imaging, sources, places, executor, ...parts }: Parts): DraftPreviews {
  const bytesMax = Math.min(limits.draftPreviewMemoryBytesMax, Math.floor(memoryBytes / 16))
  const here = createDraftPreviews({
    ...parts,
    memory: createPreviewMemory({
      sources,
      pixels: parts.pixels,
      bounds: { bytesMax, accountBytesMax: Math.floor(bytesMax / 2) },
      idleSeconds: limits.draftPreviewIdleSeconds,
    }),
    encode: imaging.encode,
    render: imaging.render,
    pixelsMax: config.imagePixelsMax,
    // A core at least is left to executions.
    runningMax: Math.max(1, Math.floor(availableParallelism() / 2)),
    perAccountMax: limits.draftPreviewsPerAccountMax,
    seconds: limits.draftPreviewSeconds,
    onFailure: ({ message, cause }) => log.error({ problem: message, err: cause }, 'a preview of a draft failed'),
  })
  const { render } = executor?.draftPreviews ?? {
    // It takes turns with an execution that could crash the process, so that the crash ends no other work.
    render: (accountId, workflowId, request, signal) =>
      places.run({ signal }, () => here.render(accountId, workflowId, request, signal)),
  }
  return { render, close: here.close }
}
