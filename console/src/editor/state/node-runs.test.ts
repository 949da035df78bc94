import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LiveExecution } from '../../api/execution-events.ts'
import type { Catalogue } from '../../api/operations.ts'
import type { Step } from '../../api/types.ts'
import { type NodeRun, nodeRuns } from './node-runs.ts'

const catalogue = new Map([['badge@1', { id: 'badge@1', outputNode: 'both' }]]) as unknown as Catalogue
const nodes = { card: { type: 'workflow', workflow: 'badge@1' } }

function runOf(steps: readonly (Partial<Step> & Pick<Step, 'node'>)[], stale: readonly string[] = []) {
  const complete = steps.map((step) => ({ operation: 'canvas', status: 'completed', ...step })) as Step[]
  const live = { execution: { executionId: 'e' }, steps: complete } as unknown as LiveExecution
  const again = () => nodeRuns(live, { stale: new Set(stale), nodes, catalogue }).get('card') as NodeRun
  return { run: again(), again }
}

const shown = { width: 8, height: 6, preview: { url: '', width: 8, height: 6 } }

describe('the run of a node with a workflow', () => {
  it('counts the steps that have ended, until all have', () => {
    const [a, b] = [{ node: 'card/a' }, { node: 'card/b' }]
    const pending = { status: 'pending' } as const
    assert.equal(
      runOf([
        { ...a, ...pending },
        { ...b, ...pending },
      ]).run.status,
      'pending',
    )
    const half = runOf([
      { ...a, duration: 3 },
      { ...b, ...pending },
    ]).run
    assert.deepEqual([half.status, half.progress], ['running', { done: 1, total: 2 }])
    const done = runOf([
      { ...a, duration: 3 },
      { ...b, duration: 4 },
    ]).run
    assert.deepEqual([done.status, done.progress, done.duration], ['completed', undefined, 7])
  })
  it('shows the image of its output, also of a workflow inside and of the last item', () => {
    const previewOf = (...ids: string[]) =>
      decodeURIComponent(runOf(ids.map((node) => ({ node, ...shown }))).run.previewUrl ?? '').split('/steps/')[1]
    assert.equal(previewOf('card/both', 'card/small'), 'card/both/preview')
    assert.equal(previewOf('card/both/x', 'card/both/y', 'card/small'), 'card/both/y/preview')
    assert.equal(previewOf('card/1/both', 'card/2/both', 'card/2/small'), 'card/2/both/preview')
    assert.equal(previewOf('card/small'), undefined)
    assert.equal(previewOf('card/both', 'card'), 'card/preview')
  })
  it('fails with the step inside, and costs what its steps cost', () => {
    const error: NonNullable<Step['error']> = { message: 'No image.', details: {} }
    const call = { costUsd: 0.5 } as NonNullable<Step['calls']>[number]
    const { run } = runOf([
      { node: 'card/a', calls: [call, call] },
      { node: 'card/b', status: 'failed', error },
      { node: 'card/c', status: 'cancelled' },
    ])
    assert.deepEqual([run.status, run.error?.message, run.costUsd], ['failed', 'b: No image.', 1])
  })
  it('is cached if nothing was computed, and outdated if one step is', () => {
    const cached = { servedFrom: 'cache' } as const
    const { run, again } = runOf([
      { node: 'card/a', ...cached },
      { node: 'card/both', ...cached },
    ])
    assert.equal(run.servedFrom, 'cache')
    assert.equal(again(), run)
    assert.equal(runOf([{ node: 'card/a', ...cached }, { node: 'card/b' }]).run.servedFrom, undefined)
    assert.equal(runOf([{ node: 'card/a' }, { node: 'card/b' }], ['card/b']).run.isStale, true)
  })
  it('is that of the node itself if `when` leaves the workflow out', () => {
    assert.equal(runOf([{ node: 'card', status: 'skipped' }]).run.status, 'skipped')
  })
})
