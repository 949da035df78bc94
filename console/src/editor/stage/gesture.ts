/** A gesture from its start to its end: each step changes the document of the start, and the history gets one entry. */
import type { Frame } from '../../../../shared/frames.ts'
import type { Size } from '../document/geometry.ts'
import { currentFrame, type GestureEditor } from './current-frame.ts'
import { frameTitle } from './describe.ts'
import type { Gesture, Grip, Snapping, Target } from './grips.ts'
import type { Point } from './shape.ts'
import type { Guide } from './snap.ts'
import { type Solution, solve } from './solve.ts'
import { writeParams, writtenValues } from './write.ts'

export interface Started {
  /** Solves the gesture for a movement since its start, and writes the result. Returns the guides to draw. */
  move(by: Point, keys: Pick<Gesture, 'isConstrained' | 'isCentred'>, snapping: Snapping | undefined): readonly Guide[]
  /** Moves the frame from where it is now: for keys, which have no start. */
  nudge(by: Point): void
  /** Ends the gesture, and restores the start if it was cancelled. */
  end(isCancelled: boolean): void
}

export interface GestureOptions {
  /** The node of the frame. */
  id: string
  frame: Frame
  grip: Grip
  image: Size
  /** The position of the pointer, in pixels of the image; undefined for keys. */
  from?: Point
}

let count = 0

export function startGesture(editor: GestureEditor, { id, frame, grip, image, from }: GestureOptions): Started {
  const { document: store, run } = editor
  const { document } = store.getState()
  const { values } = run.getState()
  const { slots, shape } = currentFrame(editor, id, frame)
  const target: Target = { frame, shape, slots, image }
  const key = `stage.${++count}`
  const label = `${grip === 'move' ? 'Move' : 'Change'} ${frameTitle(frame).toLowerCase()} of ${id}`
  const setValues = (next: typeof values) => {
    if (next !== run.getState().values) run.getState().setValues(next)
  }
  return {
    move(by, keys, snapping) {
      const { writes, guides } = solve(target, { grip, by, ...(from === undefined ? {} : { from }), ...keys }, snapping)
      const written = { frame, before: shape, slots, writes }
      store.getState().change(label, (draft) => writeParams(draft, id, written), { key, from: document })
      setValues(writtenValues(values, written))
      return guides
    },
    nudge(by) {
      const now = currentFrame(editor, id, frame)
      const { writes } = nudged({ ...now, image }, grip, by)
      const written = { frame, before: now.shape, slots: now.slots, writes }
      store.getState().change(label, (draft) => writeParams(draft, id, written), { key })
      setValues(writtenValues(run.getState().values, written))
    },
    end(isCancelled) {
      if (isCancelled) {
        store.getState().cancelGesture(key)
        setValues(values)
      } else store.getState().endGesture()
    },
  }
}

/** A key moves by at least one step of the param, however large that is on the picture. */
function nudged(target: Target, grip: Grip, by: Point): Solution {
  for (let factor = 1; factor < largestFactor; factor *= 2) {
    const solution = solve(target, { grip, by: [by[0] * factor, by[1] * factor] })
    if (solution.writes.size > 0) return solution
  }
  return solve(target, { grip, by })
}

const largestFactor = 4096
