import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame } from '../../../shared/frames.ts'
import { systemClock } from '../../domain/clock.ts'
import { testProcesses } from '../../imaging/raster/test-images.ts'
import { limits } from '../../limits.ts'
import { catalogue } from '../../operations/index.ts'
import { plannerOf } from '../test-catalogue.ts'
import { createPixelBudget } from './pixel-budget.ts'
import { runPlan } from './run.ts'
import { stepFrames } from './step-frames.ts'

const box = (id: string, lines: number): Frame => ({
  id,
  kind: 'box',
  of: 'result',
  points: [
    [1 / 3, 2 / 3],
    [10.005, 20],
  ],
  binds: {},
  lines: Array.from({ length: lines }, (_, at) => ({ x: at / 3, baseline: at, width: 5 })),
})

test('frames and their lines are limited together, and rounded to a hundredth of a pixel', () => {
  const many = Array.from({ length: limits.stepFramesMax + 5 }, (_, at) => box(`b${at}`, 30))
  const recorded = stepFrames(many) ?? []
  assert.equal(recorded.length, limits.stepFramesMax)
  assert.deepEqual(
    recorded.slice(0, 5).map(({ lines }) => lines?.length),
    [30, 30, 30, 10, 0],
  )
  assert.deepEqual(recorded[0]?.points[0], [0.33, 0.67])
  assert.deepEqual(recorded[0]?.lines?.[1], { x: 0.33, baseline: 1, width: 5 })
  assert.equal(stepFrames([]), undefined)
  assert.equal(stepFrames(undefined), undefined)
})

test('steps that run in one call of sharp have the frames that they have alone, and a skipped step has none', async () => {
  const sheet = { type: 'canvas', params: { width: 200, height: 100, color: 'red' } }
  const nodes = (isFused: boolean) => ({
    sheet,
    small: { type: 'resize', inputs: { image: 'sheet' }, params: { width: 90, height: 80 } },
    turned: { type: 'rotate', inputs: { image: 'small' }, params: { angle: 90 } },
    wide: { type: 'extend', inputs: { image: 'turned' }, params: { left: 8, color: 'blue' } },
    skipped: { type: 'crop', when: false, inputs: { image: 'wide' }, params: { width: 5, height: 5 } },
    // A second reader prevents that a step is fused.
    ...(!isFused && { other: { type: 'stack', inputs: { images: ['small', 'turned', 'wide', 'skipped'] } } }),
  })
  const framesOf = async (isFused: boolean) => {
    const plan = plannerOf([...catalogue.values()])({
      name: 'Fused',
      nodes: nodes(isFused),
      output: { node: isFused ? 'skipped' : 'other' },
    })
    assert.equal(plan.fused.size > 0, isFused)
    const { steps, fault } = await runPlan(plan, {
      processes: testProcesses,
      signal: new AbortController().signal,
      timeoutSeconds: 60,
      pixelsMax: 4e6,
      pixels: createPixelBudget(1e9, 1e9),
      open: async () => ({ bytes: Buffer.alloc(0) }),
      encode: async () => ({ bytes: Buffer.alloc(0), format: 'png', width: 1, height: 1 }),
      clock: systemClock,
      onProgress: () => undefined,
    })
    assert.equal(fault, undefined)
    return Object.fromEntries(steps.map(({ node, frames }) => [node, frames]))
  }
  const [fused, alone] = [await framesOf(true), await framesOf(false)]
  for (const node of ['small', 'turned', 'wide']) {
    assert.ok(fused[node], node)
    assert.deepEqual(fused[node], alone[node], node)
  }
  assert.equal(fused.skipped, undefined)
})
