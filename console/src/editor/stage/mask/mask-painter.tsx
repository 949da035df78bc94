import { VisuallyHidden } from '@mantine/core'
import { type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useCommands } from '../../../ui/commands/commands.ts'
import { useDrag } from '../../../ui/use-drag.ts'
import { useDocument, useEditor } from '../../state/editor-context.ts'
import { type Picture, useSharpPicture } from '../picture.ts'
import type { Point } from '../shape.ts'
import { toScreen, type View } from '../view.ts'
import { brushSizes, type MaskEdit, noEdits, redone, resized, type Stroke, undone, withEdit } from './edits.ts'
import classes from './mask.module.css'
import { type BrushSettings, MaskBar } from './mask-bar.tsx'
import { createMaskCanvas, type MaskCanvas } from './mask-canvas.ts'
import { maskCommands } from './mask-commands.ts'
import { maskNodeOf } from './mask-input.ts'
import { createMaskSaver, type MaskSaver } from './save-mask.ts'

interface Props {
  /** The node with the mask. */
  id: string
  socket: string
  /** The image that is painted on. */
  picture: Picture
  view: View
  isPanning: boolean
  toImage(position: { x: number; y: number }): Point
  onLeave(): void
}

const penEraser = 5

/** The mask over the picture, with a brush and an eraser. */
export function MaskPainter({ id, socket, picture, view, isPanning, toImage, onLeave }: Props) {
  const editor = useEditor()
  const { size } = picture
  const start = useStart(id, socket)
  const canvas = useRef<HTMLCanvasElement>(null)
  const mask = useRef<MaskCanvas>(undefined)
  const saver = useRef<MaskSaver>(undefined)
  const [history, setHistory] = useState(noEdits)
  const [isSaving, setSaving] = useState(false)
  const [said, say] = useState('')
  const sizes = brushSizes(size)
  const [brush, setBrush] = useState<BrushSettings>({ isErasing: false, size: sizes.start, feather: 0 })
  const [pointer, setPointer] = useState<Point>()
  const { width, height } = size

  // Another size of the image is another mask.
  useEffect(() => {
    if (start === undefined || canvas.current === null) return undefined
    canvas.current.width = width
    canvas.current.height = height
    const created = createMaskCanvas(canvas.current, start.image)
    const saves = createMaskSaver(editor, { id, socket, toPng: created.toPng, onSaving: setSaving })
    created.show([])
    mask.current = created
    saver.current = saves
    setHistory(noEdits)
    return () => {
      mask.current = undefined
      saves.end()
    }
  }, [editor, id, socket, start, width, height])

  const change = (next: typeof history, what: string) => {
    if (next === history || mask.current === undefined) return
    setHistory(next)
    mask.current.show(next.done)
    saver.current?.save()
    say(`${what}. ${Math.round(mask.current.coverage() * 100)} % of the image is white.`)
  }
  const add = (edit: MaskEdit, what: string) => change(withEdit(history, edit), what)
  const invert = () => add({ kind: 'invert' }, 'Inverted')
  const undo = () => change(undone(history), 'Undone')
  const redo = () => change(redone(history), 'Redone')
  const setErasing = (isErasing: boolean) => {
    setBrush({ ...brush, isErasing })
    say(isErasing ? 'Eraser' : 'Brush')
  }
  const resize = (way: 1 | -1) => {
    const next = resized(brush.size, way, sizes.max)
    setBrush({ ...brush, size: next })
    say(`Size ${next} px`)
  }
  useCommands(
    maskCommands(editor, {
      ...{ resize, invert, undo, redo, leave: onLeave },
      setErasing: (isErasing) => setErasing(isErasing === 'swap' ? !brush.isErasing : isErasing),
    }),
  )

  const showSoon = useSoon((stroke: Stroke) => mask.current?.show(history.done, stroke))
  const drag = useDrag<{ stroke: Stroke; points: Point[] }>({
    onStart(event) {
      if ((event.button !== 0 && event.button !== penEraser) || isPanning || mask.current === undefined)
        return undefined
      event.stopPropagation()
      const points = [toImage({ x: event.clientX, y: event.clientY })]
      const isErasing = brush.isErasing || event.button === penEraser
      const stroke: Stroke = { kind: 'stroke', ...brush, isErasing, points }
      showSoon(stroke)
      return { stroke, points }
    },
    onMove({ stroke, points }, { at }) {
      points.push(toImage(at))
      showSoon(stroke)
    },
    onEnd({ stroke }, isCancelled) {
      showSoon.cancel()
      if (isCancelled) mask.current?.show(history.done)
      else add(stroke, stroke.isErasing ? 'Erased' : 'Painted')
    },
  })
  const [x, y] = toScreen(view, [0, 0])
  const follow = ({ clientX, clientY }: PointerEvent) => setPointer(toImage({ x: clientX, y: clientY }))
  return (
    <>
      <div
        className={classes.layer}
        data-mask={start === undefined ? undefined : 'ready'}
        data-waiting={start === undefined || undefined}
        {...drag}
        onPointerMove={(event) => {
          follow(event)
          drag.onPointerMove(event)
        }}
        onPointerLeave={() => setPointer(undefined)}
      >
        <canvas
          ref={canvas}
          className={classes.mask}
          role="img"
          aria-label={`Mask of ${id}`}
          style={{ width, height, transform: `translate(${x}px, ${y}px) scale(${view.zoom})` }}
        />
        {pointer !== undefined && !isPanning && <Cursor at={toScreen(view, pointer)} brush={brush} zoom={view.zoom} />}
      </div>
      <MaskBar
        {...{ brush, isSaving }}
        sizeMax={sizes.max}
        canUndo={history.done.length > 0}
        canRedo={history.undone.length > 0}
        onChange={(part) => setBrush({ ...brush, ...part })}
        onInvert={invert}
        onUndo={undo}
        onRedo={redo}
        onClear={() => add({ kind: 'clear' }, 'Cleared')}
        onLeave={onLeave}
      />
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
    </>
  )
}

/** The brush in its size, with the edge of its feather. */
function Cursor({ at: [x, y], brush, zoom }: { at: Point; brush: BrushSettings; zoom: number }) {
  const diameter = Math.max(brush.size * zoom, 3)
  const soft = brush.feather * zoom
  return (
    <div
      className={classes.cursor}
      aria-hidden
      data-brush-cursor
      data-erasing={brush.isErasing || undefined}
      style={{
        width: diameter,
        height: diameter,
        transform: `translate(${x - diameter / 2}px, ${y - diameter / 2}px)`,
      }}
    >
      {soft >= 2 && <span className={classes.edge} style={{ inset: -soft }} />}
    </div>
  )
}

/** The mask to continue, loaded; undefined until then. It stays the same while the brush is in use. */
function useStart(id: string, socket: string): { image: HTMLImageElement | undefined } | undefined {
  const current = useDocument(({ document }) => maskNodeOf(document, id, socket))
  const [node] = useState(current)
  const { picture, isSharp, hasProblem } = useSharpPicture(node)
  const [start, setStart] = useState<{ image: HTMLImageElement | undefined }>()
  const url = isSharp ? picture?.url : undefined
  const isBlank = node === undefined || hasProblem
  useEffect(() => {
    if (start !== undefined) return
    if (isBlank) setStart({ image: undefined })
    else if (url !== undefined)
      void decoded(url).then(
        (image) => setStart({ image }),
        () => setStart({ image: undefined }),
      )
  }, [start, isBlank, url])
  return start
}

async function decoded(url: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = url
  await image.decode()
  return image
}

/** Calls the function once before the next paint, with the newest value. */
function useSoon<Value>(call: (value: Value) => void) {
  const newest = useRef(call)
  newest.current = call
  const frame = useRef<number>(undefined)
  const cancel = useCallback(() => {
    if (frame.current !== undefined) cancelAnimationFrame(frame.current)
    frame.current = undefined
  }, [])
  useEffect(() => cancel, [cancel])
  return useMemo(
    () =>
      Object.assign(
        (value: Value) => {
          cancel()
          frame.current = requestAnimationFrame(() => newest.current(value))
        },
        { cancel },
      ),
    [cancel],
  )
}
