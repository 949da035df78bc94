/** Frames of operations: `drawn`. `test/workflows/frames.test.ts` compares them with pixels. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { TObject, TSchema } from 'typebox'
import { sidesOf } from '../../shared/anchors.ts'
import { type Frame, type FrameAnchor, type FrameBound, frameBounds } from '../../shared/frames.ts'
import { context, goldens, inputsOf, wiresOf } from '../../test/golden/render.ts'
import { repetitions } from '../../test/harness/repetitions.ts'
import { checker } from '../domain/validate.ts'
import { stepFrames } from '../engine/run/step-frames.ts'
import { pixelsOf } from '../imaging/raster/image.ts'
import { painted, pixelAt } from '../imaging/raster/test-images.ts'
import { packagedModels } from '../local-models/registry.ts'
import { isInstalled } from '../local-models/store.ts'
import type { Example, Operation } from './define.ts'
import { catalogue } from './index.ts'

/** Operations with handles: each reports frames for an example. */
const required = [
  ...['crop', 'smart-crop', 'extend', 'resize', 'composite', 'watermark', 'text', 'gradient', 'perspective', 'rotate'],
  ...['round', 'qr', 'barcode', 'chart', 'faces', 'trim', 'inpaint', 'html'],
]

async function framesOf(operation: Operation, example: Example): Promise<Frame[]> {
  const params = structuredClone(example.params)
  assert.deepEqual(checker(operation.params)(params), [])
  const inputs = await inputsOf(example)
  const { drawn, image } = await operation.run(inputs, params, {
    ...context,
    wires: wiresOf(operation, example, inputs),
  })
  return stepFrames(drawn ?? operation.drawn?.(params, inputs as never, image)) ?? []
}

const examples = goldens()
  .filter(({ operation }) => required.includes(operation.id) || operation.drawn)
  .filter(({ example: { requires } }) => {
    const model = requires === undefined ? undefined : packagedModels.get(requires)
    return requires === undefined || (model !== undefined && isInstalled(model))
  })
const reported = Promise.all(
  examples.map(async ({ operation, example }) => ({ operation, example, frames: await framesOf(operation, example) })),
)

test('each operation with handles reports frames for an example', async () => {
  const reporting = new Set(
    (await reported).flatMap(({ operation, frames }) => (frames.length > 0 ? operation.id : [])),
  )
  const runnable = new Set(examples.map(({ operation }) => operation.id))
  assert.deepEqual(
    required.filter((id) => runnable.has(id) && !reporting.has(id)),
    [],
  )
  assert.ok(required.every((id) => catalogue.has(id)))
})

test('each reported frame is described', async () => {
  for (const { operation, frames } of await reported)
    for (const { id } of frames) {
      const { drawn = {} } = operation.outputs
      const names = operation.id === 'round' ? [id, 'topLeft'] : [id, id.replace(/[0-9]+$/, 'N')]
      const isElement = operation.id === 'html' && ('#id' in drawn || 'tag-N' in drawn)
      assert.ok(isElement || names.some((name) => name in drawn), `${operation.id} doesn't describe ${id}`)
    }
  for (const { id, outputs, drawn } of catalogue.values())
    assert.ok(!drawn || outputs.drawn, `${id} describes no frames`)
})

test('each param of a frame is in the schema of its operation, and each bound belongs to the kind of the frame', async () => {
  let seen = 0
  for (const { operation, example, frames } of await reported) {
    const where = `${operation.id}, ${example.name}`
    assert.equal(new Set(frames.map(({ id }) => id)).size, frames.length, where)
    for (const frame of frames) {
      assert.equal(frame.points.length, pointCounts[frame.kind], where)
      assert.ok(frame.points.flat().every(Number.isFinite), where)
      if (frame.socket !== undefined) assert.ok(frame.socket in operation.inputs, where)
      for (const [bound, bind] of Object.entries(frame.binds)) {
        assert.ok(boundsOf[frame.kind].includes(bound as FrameBound), `${where}: ${frame.kind} has no ${bound}`)
        assert.ok(schemaAt(operation.params, bind.param), `${where}: ${bind.param} isn't a param`)
        assert.notEqual(bind.scale, 0, where)
        seen += 1
      }
      if (frame.anchor !== undefined) {
        const { enum: points } = schemaAt(operation.params, frame.anchor.param) as { enum?: string[] }
        assert.ok(points?.includes(frame.anchor.value), where)
        assert.ok('margin' in frame.binds, where)
      }
      for (const param of frame.removes ?? []) assert.ok(schemaAt(operation.params, param), `${where}: ${param}`)
    }
  }
  assert.ok(seen > 100, `saw ${seen}`)
})

const pointCounts = { box: 2, rect: 2, mask: 2, point: 1, quad: 4, line: 2 }

const corners: FrameBound[] = ['x', 'y', 'width', 'height', 'right', 'bottom']
const boundsOf: Record<Frame['kind'], FrameBound[]> = {
  box: [...corners, 'rotation', 'fontSize', 'margin'],
  rect: corners,
  mask: corners,
  point: ['x', 'y'],
  quad: frameBounds.filter((bound) => /^[xy][1-4]$/.test(bound)),
  line: ['angle', 'x1', 'y1', 'x2', 'y2'],
}

function schemaAt(params: TObject, path: string): TSchema | undefined {
  return path
    .split('.')
    .reduce<TSchema | undefined>(
      (schema, name) => (schema as TObject | undefined)?.properties?.[name],
      params as TSchema,
    )
}

/** Pixels. A text as a watermark has margins in whole pixels on each side, and can reach the height of the image. */
const tolerances: Record<string, number> = { watermark: 6 }

/** Operation, its params, and the frame of the input whose corners are those of the result. */
const kept: [string, Record<string, unknown>, string][] = [
  ['crop', { x: 20, y: 31, width: 100, height: 90 }, 'crop'],
  ['smart-crop', { width: 40, height: 100, focus: { x: 0.7, y: 0.4 } }, 'area'],
  ['smart-crop', { width: 100, height: 40, strategy: 'entropy' }, 'area'],
  ['resize', { width: 60, height: 120 }, 'kept'],
  ['resize', { width: 120, height: 60, position: 'south' }, 'kept'],
  ['resize', { width: 400, height: 80, position: 'north-west' }, 'kept'],
  ['round', { circle: true }, 'circle'],
]

/** Its colours are the place of each pixel. */
const places = painted(250, 200, (x, y) => [x, y, 0])

for (const [id, params, name] of kept) {
  test(`the frame ${name} of ${id} with ${JSON.stringify(params)} has the corners of the result`, async () => {
    const operation = catalogue.get(id) ?? assert.fail()
    const values = structuredClone(params)
    assert.deepEqual(checker(operation.params)(values), [])
    const { drawn, image } = await operation.run({ image: places } as never, values, context)
    assert.ok(image)
    const frames = drawn ?? operation.drawn?.(values, { image: places } as never, image) ?? []
    const [[left, top] = [-1, -1], [right, bottom] = [-1, -1]] = frames.find((each) => each.id === name)?.points ?? []
    const pixels = await pixelsOf(image, context)
    const middle = [Math.floor(pixels.width / 2), Math.floor(pixels.height / 2)] as const
    const expected = [
      [[0, middle[1]], 0, left],
      [[middle[0], 0], 1, top],
      [[pixels.width - 1, middle[1]], 0, right - 1],
      [[middle[0], pixels.height - 1], 1, bottom - 1],
    ] as const
    for (const [[x, y], channel, place] of expected) {
      const found = pixelAt(pixels, x, y)[channel] ?? -1
      assert.ok(Math.abs(found - place) <= 3, `${found} instead of ${place} at ${x}, ${y}`)
    }
  })
}

/** The bounds that a change of the frame by hand sets together. */
const movedTogether = [
  ['x', 'y', 'width', 'height', 'right', 'bottom'],
  ['margin'],
  ['x1', 'y1', 'x2', 'y2', 'x3', 'y3', 'x4', 'y4'],
  ['rotation'],
  ['angle'],
] satisfies FrameBound[][]

test('a param that a bound was converted to gives a frame with this bound', async () => {
  let moved = 0
  const all = (await reported).flatMap(({ operation, example, frames }) =>
    operation.usesModel || example.requires
      ? []
      : frames.flatMap((frame) =>
          movedTogether.map((bounds) => ({
            operation,
            example,
            frame,
            // In the centre, a margin sets nothing.
            bounds: bounds.filter((b) => b in frame.binds && (b !== 'margin' || frame.anchor?.value !== 'center')),
          })),
        ),
  )
  for (const { operation, example, frame, bounds } of all.filter(({ bounds }) => bounds.length > 0)) {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -25, max: 25 }), { minLength: 8, maxLength: 8 }), async (by) => {
        const where = `${operation.id}, ${example.name}: ${frame.id}`
        const params = structuredClone(example.params)
        // With a compass point, only `x` and `y` exclude others.
        if (!frame.anchor || bounds.includes('x')) for (const name of frame.removes ?? []) delete params[name]
        const wanted = new Map<FrameBound, number>()
        const set = new Map<string, number>()
        for (const [at, bound] of bounds.entries()) {
          const { param, origin = 0, scale = 1 } = frame.binds[bound] ?? assert.fail()
          // One param can set several bounds: the first one decides.
          if (set.has(param)) continue
          const target = boundOf(frame, bound) + (by[at] ?? 0)
          const schema = schemaAt(operation.params, param) as { type: string; minimum: number; maximum: number }
          const exact = (target - origin) / scale
          const value = schema.type === 'integer' ? Math.round(exact) : exact
          if (value < schema.minimum || value > schema.maximum) return
          set.set(param, value)
          setAt(params, param, value)
          wanted.set(bound, origin + value * scale)
        }
        if (checker(operation.params)(structuredClone(params)).length > 0) return
        const after = await framesOf(operation, { ...example, params }).catch(
          (error: { details?: { reason?: string } }) => {
            // The area left the image.
            if (['input_invalid', 'limit_exceeded'].includes(error.details?.reason ?? '')) return undefined
            throw error
          },
        )
        const same = after?.find(({ id }) => id === frame.id)
        if (after === undefined || same === undefined || !isFree(same, frame, bounds)) return
        for (const [bound, value] of wanted)
          assert.ok(
            distance(bound, boundOf(same, bound), value) <= (tolerances[operation.id] ?? 1),
            `${where}: ${bound} is ${boundOf(same, bound)} instead of ${value} with ${JSON.stringify(params)}`,
          )
        moved += 1
      }),
      { numRuns: repetitions(3, 40) },
    )
  }
  assert.ok(moved > 100, `moved ${moved}`)
})

function distance(bound: FrameBound, is: number, wanted: number): number {
  const by = Math.abs(is - wanted)
  return bound === 'angle' ? Math.min(by % 360, 360 - (by % 360)) : by
}

/** A frame without one of its binds reached a limit, such as the edge of the image. */
function isFree(after: Frame, before: Frame, bounds: FrameBound[]): boolean {
  return bounds.every((bound) => bound in after.binds || !(bound in before.binds))
}

function boundOf(frame: Frame, bound: FrameBound): number {
  const [[x, y] = [0, 0], [right, bottom] = [0, 0]] = frame.points
  const corner = /^([xy])([1-4])$/.exec(bound)
  if (corner) return frame.points[Number(corner[2]) - 1]?.[corner[1] === 'x' ? 0 : 1] ?? assert.fail()
  const values: Partial<Record<FrameBound, number>> = {
    ...{ x, y, right, bottom, width: right - x, height: bottom - y, rotation: frame.rotation ?? 0 },
    angle: (Math.atan2(right - x, y - bottom) * 180) / Math.PI,
    ...(frame.anchor && { margin: marginOf(frame.anchor, [x, y, right, bottom]) }),
  }
  return values[bound] ?? assert.fail(bound)
}

/** The distance from a side that the point names. */
function marginOf({ value, size: [width, height] }: FrameAnchor, [x, y, right, bottom]: number[] = []): number {
  const [across, down] = sidesOf(value)
  const distances = [across === -1 ? x : width - (right ?? 0), down === -1 ? y : height - (bottom ?? 0)]
  return distances[across === 0 ? 1 : 0] ?? assert.fail()
}

function setAt(params: Record<string, unknown>, path: string, value: number): void {
  const names = path.split('.')
  const last = names.pop() ?? assert.fail()
  let at = params
  for (const name of names) {
    at[name] ??= {}
    at = at[name] as Record<string, unknown>
  }
  at[last] = value
}
