/** A gesture from its start to its end: each step changes the document of the start, and the history gets one entry. */
import type { Frame } from '../../../../shared/frames.ts'
import type { Size } from '../document/geometry.ts'
import { freed } from './anchored.ts'
import { currentFrame, type GestureEditor } from './current-frame.ts'
import { frameTitle } from './describe.ts'
import type { Gesture, Grip, Snapping, Target } from './grips.ts'
import type { Point } from './shape.ts'
import type { Guide } from './snap.ts'
import { nudge, type Solution, solve } from './solve.ts'
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
  const targetNow = (): Target => ({ ...currentFrame(editor, id, frame), image })
  const start = targetNow()
  const key = `stage.${++count}`
  const label = `${grip === 'move' ? 'Move' : 'Change'} ${frameTitle(frame).toLowerCase()} of ${id}`
  const setValues = (next: typeof values) => {
    if (next !== run.getState().values) run.getState().setValues(next)
  }
  const write = (
    target: Target,
    solution: Solution,
    ofRun: typeof values,
    history: { key: string; from?: typeof document },
  ) => {
    store.getState().change(label, (draft) => writeParams(draft, id, target, solution), history)
    setValues(writtenValues(ofRun, target, solution))
  }
  return {
    move(by, keys, snapping) {
      const target = grip === 'move' && keys.isCentred ? freed(start) : start
      const solution = solve(target, { grip, by, ...(from === undefined ? {} : { from }), ...keys }, snapping)
      write(target, solution, values, { key, from: document })
      return solution.guides
    },
    nudge(by) {
      const target = targetNow()
      write(target, nudge(target, grip, by), run.getState().values, { key })
    },
    end(isCancelled) {
      if (isCancelled) {
        store.getState().cancelGesture(key)
        setValues(values)
      } else store.getState().endGesture()
    },
  }
}
