/** A session of typing on a picture: selection, keys, pointer and input methods of the text area, and the writes to the document. */
import {
  type CompositionEvent,
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import { isMac } from '../../../ui/commands/keys.tsx'
import { joinPath, setAt } from '../../document/path.ts'
import { useEditor } from '../../state/editor-context.ts'
import type { Point } from '../shape.ts'
import { useStage } from '../stage-context.ts'
import { type CaretPlace, caretAt, type DrawnText, lineEdge, placeAt, placeBeside, wordAt } from './caret.ts'
import { expectedText } from './expected.ts'
import type { TextTarget } from './text-target.ts'

interface Options {
  drawn: DrawnText
  target: Exclude<TextTarget, { kind: 'locked' }>
  /** The pixel of the image at which the caret starts. Undefined: the entire text is selected. */
  at: Point | undefined
  onEnd(isByKey: boolean): void
}

export type TextSession = ReturnType<typeof useTextSession>

interface Selected {
  /** The end that does not move. */
  anchor: number
  place: CaretPlace
}

/** A pause in typing after which the next change is another step of the history. */
const pauseMs = 1_000

let sessions = 0

export function useTextSession({ drawn, target, at, onEnd }: Options) {
  const { id, toImage, isPanning } = useStage()
  const element = useRef<HTMLTextAreaElement>(null)
  const { value } = target
  const text = useMemo(() => expectedText(drawn, value), [drawn, value])
  const [{ anchor, place }, setSelected] = useState<Selected>({ anchor: 0, place: { offset: 0 } })
  const [composition, setComposition] = useState<[number, number]>()
  /** The place that a click or a key has set, with its line. */
  const put = useRef<CaretPlace>(undefined)
  /** The x that the caret keeps while it moves up and down. */
  const column = useRef<number>(undefined)
  const write = useWrite(id, drawn.param, target)

  const read = useCallback(() => {
    const area = element.current
    if (area === null) return
    const { selectionStart, selectionEnd, selectionDirection } = area
    const isBackward = selectionDirection === 'backward'
    const offset = isBackward ? selectionStart : selectionEnd
    const place = put.current?.offset === offset ? put.current : { offset }
    setSelected({ anchor: isBackward ? selectionEnd : selectionStart, place })
  }, [])
  const select = useCallback(
    (anchor: number, place: CaretPlace) => {
      const { offset } = place
      put.current = place
      const direction = offset < anchor ? 'backward' : 'forward'
      element.current?.setSelectionRange(Math.min(anchor, offset), Math.max(anchor, offset), direction)
      read()
    },
    [read],
  )

  // The field is not controlled, so the browser keeps its own history.
  useLayoutEffect(() => {
    const area = element.current
    if (area !== null && area.value !== value) area.value = value
  }, [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only at the start
  useLayoutEffect(() => {
    element.current?.focus({ preventScroll: true })
    if (at === undefined) select(0, { offset: value.length })
    else {
      const start = placeAt(text, at)
      select(start.offset, start)
    }
  }, [])
  useEffect(() => {
    document.addEventListener('selectionchange', read)
    return () => document.removeEventListener('selectionchange', read)
  }, [read])

  const pointAt = (event: { clientX: number; clientY: number }) => toImage({ x: event.clientX, y: event.clientY })
  /** The anchor of a drag. */
  const dragged = useRef<number>(undefined)
  const pointerProps = {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0 || isPanning()) return
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      const place = placeAt(text, pointAt(event))
      dragged.current = event.shiftKey ? anchor : place.offset
      column.current = undefined
      select(dragged.current, place)
    },
    onPointerMove(event: PointerEvent) {
      if (dragged.current !== undefined) select(dragged.current, placeAt(text, pointAt(event)))
    },
    onPointerUp() {
      dragged.current = undefined
    },
    onPointerCancel() {
      dragged.current = undefined
    },
    onMouseDown(event: MouseEvent) {
      // The text area keeps the focus.
      event.preventDefault()
      if (event.detail < 2) return
      dragged.current = undefined
      const { offset } = placeAt(text, pointAt(event))
      const [from, to] = event.detail === 2 ? wordAt(value, offset) : paragraphAt(value, offset)
      select(from, { offset: to })
    },
  }

  const moveTo = (event: KeyboardEvent, place: CaretPlace) => {
    event.preventDefault()
    select(event.shiftKey ? anchor : place.offset, place)
  }
  const inputProps = {
    onInput({ currentTarget }: FormEvent<HTMLTextAreaElement>) {
      column.current = undefined
      put.current = undefined
      write(currentTarget.value)
      read()
    },
    onKeyDown(event: KeyboardEvent) {
      const isCommand = isMac ? event.metaKey : event.ctrlKey
      // Keys of the stage are letters here, and undo is the one of the field.
      if (!isCommand || !pageKeys.has(event.key)) event.stopPropagation()
      if (event.nativeEvent.isComposing) return
      if (event.key === 'Escape') {
        event.preventDefault()
        onEnd(true)
      }
      const isPlain = !isCommand && !event.altKey
      const way = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
      if (isPlain && way !== undefined) {
        column.current ??= caretAt(text, place).x
        moveTo(event, placeBeside(text, place, way, column.current))
        return
      }
      if (event.key !== 'Shift') column.current = undefined
      if (isPlain && event.key === 'Home') moveTo(event, lineEdge(text, place, 'start'))
      if (isPlain && event.key === 'End') moveTo(event, lineEdge(text, place, 'end'))
    },
    onKeyUp: (event: KeyboardEvent) => event.stopPropagation(),
    onCompositionStart() {
      const start = element.current?.selectionStart ?? 0
      setComposition([start, start])
    },
    onCompositionUpdate({ data }: CompositionEvent) {
      setComposition((now) => now && [now[0], now[0] + data.length])
    },
    onCompositionEnd: () => setComposition(undefined),
    onBlur() {
      // Another window may have the focus for a while.
      if (document.hasFocus()) onEnd(false)
    },
  }
  const { offset } = place
  const selection: [number, number] = [Math.min(anchor, offset), Math.max(anchor, offset)]
  return { element, text, place, selection, composition, pointerProps, inputProps }
}

/** Keys with Ctrl or Cmd that the page handles: save and run. */
const pageKeys = new Set(['s', 'Enter'])

function useWrite(id: string, param: string, target: Options['target']): (value: string) => void {
  const { document: store, run } = useEditor()
  const session = useRef<string>(undefined)
  session.current ??= `text.${++sessions}`
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(pause.current)
      store.getState().endGesture()
    },
    [store],
  )
  return (value) => {
    if (target.kind === 'parameter') {
      run.getState().setValues({ ...run.getState().values, [target.name]: value })
      return
    }
    const recipe = (document: WorkflowDocument) => {
      const node = document.nodes[id]
      if (node !== undefined) setAt(node, joinPath('params', param), value)
    }
    store.getState().change(`Edit text of ${id}`, recipe, { key: session.current ?? '' })
    clearTimeout(pause.current)
    pause.current = setTimeout(() => store.getState().endGesture(), pauseMs)
  }
}

/** The text between two line breaks. */
function paragraphAt(value: string, offset: number): [from: number, to: number] {
  const end = value.indexOf('\n', offset)
  return [value.lastIndexOf('\n', offset - 1) + 1, end === -1 ? value.length : end]
}
