import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anchors } from '../../../../shared/anchors.ts'
import type { Frame } from '../../../../shared/frames.ts'
import { isTemplate } from '../../../../shared/values.ts'
import { repetitions } from '../../../../test/harness/repetitions.ts'
import { toCatalogue } from '../../api/operations.ts'
import type { Operation } from '../../api/types.ts'
import type { ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { valueAt } from '../document/path.ts'
import { schemaAt } from '../form/schema.ts'
import { problemOf } from '../form/value.ts'
import { createDocumentStore } from '../state/document-store.ts'
import { currentFrame, type GestureEditor } from './current-frame.ts'
import { startGesture } from './gesture.ts'
import { type Grip, gripsOf } from './grips.ts'
import { snapLines } from './snap.ts'

const image = { width: 1200, height: 630 }

const pixel = { type: 'integer', minimum: 0, maximum: 16384 }
const offset = { type: 'integer', minimum: -16384, maximum: 16384 }
const coordinate = { type: 'number', minimum: -16384, maximum: 16384 }
const share = { type: 'number', minimum: 0, maximum: 1 }
const point = { type: 'object', properties: { x: coordinate, y: coordinate } }

/** Params in the manner of text, crop, composite, watermark, perspective and others. */
const params = {
  type: 'object',
  properties: {
    box: { type: 'object', properties: { x: offset, y: offset, width: pixel, height: pixel } },
    size: { type: 'number', minimum: 1, maximum: 1000 },
    rotate: { type: 'number', minimum: -360, maximum: 360, default: 0 },
    angle: { type: 'number', minimum: 0, maximum: 360 },
    x: pixel,
    y: pixel,
    width: { ...pixel, minimum: 1 },
    height: { ...pixel, minimum: 1 },
    left: offset,
    top: offset,
    position: { enum: [...anchors] },
    inset: offset,
    margin: share,
    scale: { type: 'number', minimum: 0.01, maximum: 1 },
    focus: { type: 'object', properties: { x: share, y: share } },
    corners: { type: 'object', properties: { a: point, b: point, c: point, d: point } },
    other: { type: 'string' },
  },
}

const catalogue = toCatalogue([{ id: 'draw', inputs: [], params } as unknown as Operation])

/** The value of a param in the document: absent, a number, the parameter `n`, or a template that depends on `n`. */
type Given = 'absent' | 'number' | 'parameter' | 'template'

interface Kind {
  frame: Frame
  /** A value for each top-level param, in the same order. */
  values: Record<string, unknown>
}

/** An overlay that `left` and `top`, or `position` and `inset`, place. */
const overlay: Pick<Frame, 'anchor' | 'binds'> = {
  binds: {
    ...{ x: { param: 'left' }, y: { param: 'top' }, margin: { param: 'inset' } },
    ...{ width: { param: 'width' }, height: { param: 'width' } },
  },
  anchor: { param: 'position', value: 'center', size: [1200, 630] },
}

const kinds: Kind[] = [
  {
    frame: {
      ...{ id: 'box', kind: 'box', of: 'result' },
      points: [
        [60, 40],
        [460, 180],
      ],
      binds: {
        x: { param: 'box.x' },
        y: { param: 'box.y' },
        width: { param: 'box.width' },
        height: { param: 'box.height' },
        fontSize: { param: 'size' },
        rotation: { param: 'rotate' },
      },
      lines: [{ x: 60, baseline: 76, width: 300 }],
    },
    values: { box: { x: 60, y: 40, width: 400, height: 140 }, size: 40, rotate: 20 },
  },
  {
    frame: {
      ...{ id: 'crop', kind: 'rect', of: 'input' },
      points: [
        [100, 50],
        [700, 450],
      ],
      binds: { x: { param: 'x' }, y: { param: 'y' }, width: { param: 'width' }, height: { param: 'height' } },
    },
    values: { x: 100, y: 50, width: 600, height: 400 },
  },
  {
    frame: {
      ...{ id: 'overlay', kind: 'box', of: 'result', removes: ['position', 'inset'] },
      points: [
        [500, 200],
        [700, 400],
      ],
      ...overlay,
    },
    values: { left: 500, top: 200, width: 200 },
  },
  {
    frame: {
      ...{ id: 'overlay', kind: 'box', of: 'result', removes: ['position', 'inset'] },
      points: [
        [980, 410],
        [1180, 610],
      ],
      ...overlay,
    },
    values: { position: 'south-east', inset: 20, width: 200 },
  },
  {
    frame: {
      ...{ id: 'mark', kind: 'box', of: 'result' },
      points: [
        [948, 560],
        [1140, 570],
      ],
      binds: {
        width: { param: 'scale', scale: 1200 },
        height: { param: 'scale', scale: 62.5 },
        margin: { param: 'margin', scale: 630 },
        rotation: { param: 'rotate' },
      },
      anchor: { param: 'position', value: 'south-east', size: [1200, 630] },
    },
    values: { scale: 0.16, margin: 0.0953, rotate: 0, position: 'south-east' },
  },
  {
    frame: {
      ...{ id: 'focus', kind: 'point', of: 'input', removes: ['position'] },
      points: [[600, 315]],
      binds: { x: { param: 'focus.x', scale: 1200 }, y: { param: 'focus.y', scale: 630 } },
    },
    values: { focus: { x: 0.5, y: 0.5 } },
  },
  {
    frame: {
      ...{ id: 'line', kind: 'line', of: 'result' },
      points: [
        [600, 630],
        [600, 0],
      ],
      binds: { angle: { param: 'angle' } },
    },
    values: { angle: 0 },
  },
  {
    frame: {
      ...{ id: 'corners', kind: 'quad', of: 'result' },
      points: [
        [20, 30],
        [1100, 6],
        [1190, 600],
        [36, 620],
      ],
      binds: Object.fromEntries(
        ['a', 'b', 'c', 'd'].flatMap((corner, index) => [
          [`x${index + 1}`, { param: `corners.${corner}.x` }],
          [`y${index + 1}`, { param: `corners.${corner}.y` }],
        ]),
      ),
    },
    values: {
      corners: { a: { x: 20, y: 30 }, b: { x: 1100, y: 6 }, c: { x: 1190, y: 600 }, d: { x: 36, y: 620 } },
    },
  },
]

const anyDrag = fc.record({
  kind: fc.constantFrom(...kinds),
  given: fc.array(fc.constantFrom<Given>('absent', 'number', 'number', 'parameter', 'template'), {
    minLength: 4,
    maxLength: 4,
  }),
  hasPosition: fc.boolean(),
  grip: fc.nat(),
  by: fc.array(fc.tuple(fc.integer({ min: -1500, max: 1500 }), fc.integer({ min: -900, max: 900 })), {
    minLength: 1,
    maxLength: 4,
  }),
  isConstrained: fc.boolean(),
  isCentred: fc.boolean(),
  isSnapping: fc.boolean(),
  isByKeys: fc.boolean(),
  isCancelled: fc.boolean(),
})

test('a random drag changes only params that the frame binds, to valid values, and undo gives the same bytes', () => {
  let moved = 0
  fc.assert(
    fc.property(anyDrag, (drag) => {
      const { frame, values } = drag.kind
      const document = documentOf(drag.kind, drag.given, drag.hasPosition)
      const editor = editorOf(document)
      const bytes = JSON.stringify(document)
      const startValues = JSON.stringify(editor.run.getState().values)
      const current = currentFrame(editor, 'it', frame)
      const grips = gripsOf(current)
      const grip = grips[drag.grip % Math.max(grips.length, 1)]
      if (grip === undefined) return
      const before = editor.document.getState().past.length
      const from = { from: [300, 200] as const }
      const gesture = startGesture(editor, { ...{ id: 'it', frame, grip, image }, ...(drag.isByKeys ? {} : from) })
      const snapping = drag.isSnapping ? { lines: snapLines(image, []), reach: 6 } : undefined
      const { isConstrained, isCentred } = drag
      for (const by of drag.by)
        if (drag.isByKeys) gesture.nudge(by)
        else gesture.move(by, { isConstrained, isCentred }, snapping)
      gesture.end(drag.isCancelled)

      const { document: after, past, undo } = editor.document.getState()
      const hasAlt = isCentred && grip === 'move'
      checkChanges({ frame, grip, document, after, startValues: JSON.parse(startValues), editor, hasAlt })
      for (const name of Object.keys(values)) assert.ok(name in params.properties)
      if (drag.isCancelled) {
        assert.equal(JSON.stringify(after), bytes)
        assert.equal(JSON.stringify(editor.run.getState().values), startValues)
        assert.equal(past.length, before)
        return
      }
      assert.equal(past.length - before, after === document ? 0 : 1, 'one step of the history')
      if (after !== document) {
        moved++
        undo()
        assert.equal(JSON.stringify(editor.document.getState().document), bytes)
      }
    }),
    { numRuns: repetitions(10_000, 100_000) },
  )
  assert.ok(moved > repetitions(10_000, 100_000) / 5, `${moved} drags changed the document`)
})

interface Changes {
  frame: Frame
  grip: Grip
  document: WorkflowDocument
  after: WorkflowDocument
  startValues: ParameterValues
  editor: GestureEditor
  hasAlt: boolean
}

function checkChanges({ frame, grip, document, after, startValues, editor, hasAlt }: Changes): void {
  const [old, next] = [document.nodes.it?.params ?? {}, after.nodes.it?.params ?? {}]
  const { fontSize, ...binds } = frame.binds
  const moved = grip === 'fontSize' ? [fontSize] : Object.values(binds)
  const bound = new Set(moved.map((bind) => bind?.param))
  for (const path of new Set([...leavesOf(old), ...leavesOf(next)])) {
    const [from, to] = [valueAt(old, path), valueAt(next, path)]
    if (from === to) continue
    const isRemoved = frame.removes?.includes(path) && to === undefined
    const isPoint = path === frame.anchor?.param
    assert.ok(bound.has(path) || isRemoved || isPoint, `${path} changed from ${from} to ${to}`)
    assert.ok(!isTemplate(from) || isRemoved, `the template at ${path} stays`)
    if (!isRemoved) assert.equal(problemOf(to, schemaAt(params as never, path)), undefined, path)
  }
  if (frame.removes?.includes('inset')) {
    const [wasPlaced, isPlaced] = [old, next].map(({ left, top }) => left !== undefined || top !== undefined)
    assert.ok(wasPlaced === isPlaced || hasAlt, 'only Alt places an overlay freely')
    assert.ok(!isPlaced || wasPlaced || (next.position === undefined && next.inset === undefined))
  }
  const { it: _, ...others } = after.nodes
  const { it: __, ...before } = document.nodes
  assert.deepEqual(others, before)
  const { values } = editor.run.getState()
  const isBound = Object.values(frame.binds).some(({ param }) => valueAt(old, param) === '{{ n }}')
  if (!isBound) assert.deepEqual(values, startValues)
  // One parameter of the workflow can be an edge and a size.
  if (frame.kind !== 'rect' || isBound) return
  const { shape } = currentFrame(editor, 'it', frame)
  for (const [x, y] of shape.points)
    assert.ok(x >= 0 && y >= 0 && x <= image.width && y <= image.height, `${x}, ${y} is in the image`)
}

function documentOf({ values }: Kind, given: readonly Given[], hasPosition: boolean): WorkflowDocument {
  const entries = Object.entries(values).flatMap(([name, value], index): [string, unknown][] => {
    const how = given[index % given.length]
    const isNumber = typeof value !== 'object'
    if (how === 'absent') return []
    if (how === 'template') return [[name, isNumber ? '{{ n | minus: 2 }}' : '{{ brand.value }}']]
    if (how !== 'parameter') return [[name, value]]
    return [[name, isNumber ? '{{ n }}' : { ...(value as object), ...(name === 'corners' ? {} : { x: '{{ n }}' }) }]]
  })
  return {
    name: 'Random',
    parameters: [{ name: 'n', type: 'number', default: 1, minimum: 0 }],
    nodes: {
      it: {
        type: 'draw',
        params: { ...(hasPosition && { position: 'south' }), ...Object.fromEntries(entries), other: 'stays' },
      },
      next: { type: 'draw', inputs: {}, params: { x: 1 } },
    },
  }
}

function editorOf(document: WorkflowDocument): GestureEditor {
  let values: ParameterValues = {}
  const setValues = (next: ParameterValues) => {
    values = next
  }
  const run = { getState: () => ({ values, setValues }) }
  return { document: createDocumentStore(document), catalogue, run: run as unknown as GestureEditor['run'] }
}

function leavesOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, path === '' ? key : `${path}.${key}`))
}
