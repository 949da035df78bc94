import { scale } from '../../harness/documents.ts'
import { until } from '../../harness/wait.ts'
import { holdSources } from '../held-sources.ts'
import { type Attack, type Load, sendAll } from '../load.ts'
import { sheetOf } from './silent-names.ts'

/** `runningMax` of the plan Starter. */
export const runningMaxOfStarter = 20

/** Starts as many executions as the plan of A lets it run, and some that wait although slots are free. */
export const runningExecutions: Attack = {
  name: `${runningMaxOfStarter} executions that do not end, the limit of its plan, and 5 more`,
  // A fetch reserves the memory of the largest source, and an account may not reserve all of it.
  settings: { EXECUTIONS_RUNNING_MAX: '24', FETCHES_PER_ACCOUNT_MAX: '24', UPLOAD_MAX_BYTES: '1000000' },
  plan: 'starter',
  async start(setup) {
    const heldSource = await holdSources(setup, '/running')
    const { a } = setup
    const text = JSON.stringify({
      workflowId: await a.save(scale()),
      parameters: { source: heldSource.url },
      async: true,
    })
    const submit = (_n: number, signal: AbortSignal) => a.send('POST', '/workflows/execute', { text, signal })
    const responses = await sendAll(4, submit, runningMaxOfStarter + 5)
    await until('all that A may run', () => heldSource.waiting() === runningMaxOfStarter || undefined)
    return { responses, open: heldSource.waiting, stop: async () => heldSource.releaseAll() } satisfies Load
  },
}

export const fetchesMax = 2

/** More fetches than A may have at the same time, from a host that does not respond. B fetches from the same host. */
export const heldFetches: Attack = {
  name: `an execution with 12 image sources, of which ${fetchesMax} are fetched at the same time and never arrive`,
  settings: { FETCHES_PER_ACCOUNT_MAX: String(fetchesMax) },
  fetches: true,
  async start(setup) {
    const heldSource = await holdSources(setup, '/fetches')
    const { a } = setup
    const workflowId = await a.save(sheetOf(Array.from({ length: 12 }, (_, i) => `${heldSource.url}?${i}`)))
    const json = { workflowId, async: true }
    const responses = await sendAll(1, (_n, signal) => a.send('POST', '/workflows/execute', { json, signal }), 1)
    await until('all that A may fetch', () => heldSource.waiting() === fetchesMax || undefined)
    return { responses, open: heldSource.waiting, stop: async () => heldSource.releaseAll() } satisfies Load
  },
}

/** Starts as many executions as run at the same time. Their images never arrive. */
export const heldSlots: Attack = {
  name: 'an execution in each slot, whose image never arrives',
  settings: { EXECUTIONS_RUNNING_MAX: '1', FETCH_TIMEOUT_SECONDS: '300' },
  async start(setup) {
    const heldSource = await holdSources(setup, '/slots')
    const { a } = setup
    const text = JSON.stringify({
      workflowId: await a.save(scale()),
      parameters: { source: heldSource.url },
      async: true,
    })
    const submit = (_n: number, signal: AbortSignal) => a.send('POST', '/workflows/execute', { text, signal })
    const responses = await sendAll(1, submit, 5)
    await until('the executions in the slots', () => heldSource.waiting() > 0 || undefined)
    return { responses, open: heldSource.waiting, stop: async () => heldSource.releaseAll() } satisfies Load
  },
}
