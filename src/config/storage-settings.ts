/** Settings of what is stored, and for how long. */
import { limits } from '../limits.ts'
import { setting } from './setting.ts'
import { integer, number } from './setting-values.ts'

/** Until then, clients resume executions and streams of events, and the calls of AI providers are stored. */
const executionsKeptDaysMin = 7

export const storageSettings = {
  cacheBytesMax: setting(
    'CACHE_MAX_BYTES',
    'Maximum bytes of the step cache of each account. The least recently used results are removed first. 0 disables the cache.',
    limits.cacheBytesMax,
    integer(0, 1_000_000_000_000_000),
  ),
  previewHours: setting(
    'PREVIEWS_KEEP_HOURS',
    'Hours that step previews and thumbnails of images are stored after they were last used.',
    limits.previewHours,
    number(0.001, 87_600),
  ),
  previewBytesMax: setting(
    'PREVIEWS_MAX_BYTES',
    'Maximum bytes of the step previews and thumbnails of each account. The least recently used are removed first.',
    limits.previewBytesMax,
    integer(1_000_000, 1_000_000_000_000_000),
  ),
  executionsKeptDays: setting(
    'EXECUTIONS_KEEP_DAYS',
    'Days that executions are stored after they have ended, at least 7. Executions of a batch are stored for as long as the batch. Output images are not removed, and `GET /usage` still counts the executions.',
    undefined as number | undefined,
    integer(executionsKeptDaysMin, 36_500),
    'not removed',
  ),
}
