/** Edits a text on its picture. The picture, the lines and the places of the caret are those of the service. */
import { Button } from '@mantine/core'
import { Lock } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import type { FrameText } from '../../../../../shared/frames.ts'
import { operationOf } from '../../../api/operations.ts'
import { joinPath, pathKeys } from '../../document/path.ts'
import { type JsonSchema, schemaAt, titleOf } from '../../form/schema.ts'
import { useDocument, useEditor, usePreview, useRun } from '../../state/editor-context.ts'
import type { PreviewProblem } from '../../state/preview-problem.ts'
import type { CurrentFrame } from '../current-frame.ts'
import { DrawingLayer } from '../drawing.tsx'
import { Marks, ParameterMark } from '../frame-marks.tsx'
import { bodyStyle, markStyle } from '../place.ts'
import type { Point } from '../shape.ts'
import { useStage } from '../stage-context.ts'
import { toScreen } from '../view.ts'
import { areasOf, caretAt } from './caret.ts'
import classes from './text.module.css'
import { type TextTarget, textTarget } from './text-target.ts'
import { type TextSession, useTextSession } from './use-text-session.ts'

interface Props {
  current: CurrentFrame
  /** The pixel of the image at which the caret starts. Undefined: the entire text is selected. */
  at: Point | undefined
  /** Pixels of the longer side of the live picture. */
  maxSide: number
  /** `isByKey`: Escape ended it, and the focus goes back to the frame. */
  onEnd(isByKey: boolean): void
}

export function TextEditor({ current, at, maxSide, onEnd }: Props) {
  const { id, setBusy } = useStage()
  const live = usePreview(id, { maxSide, isImmediate: true, hasCarets: true })
  const reported = live?.frames.find((frame) => frame.id === current.frame.id)?.text
  // A run that ends takes the live picture away.
  const kept = useRef<FrameText>(undefined)
  kept.current = reported ?? kept.current
  const text = kept.current
  const target = useTextTarget(text?.param)
  useEffect(() => {
    setBusy(true)
    return () => setBusy(false)
  }, [setBusy])
  if (text === undefined || target === undefined)
    return live?.problem === undefined ? null : <Hint {...{ current, onEnd }} reason={reasonOf(live.problem)} />
  if (target.kind === 'locked') return <Hint {...{ current, onEnd }} param={text.param} reason={target.reason} />
  if (text.lines === undefined) return <Hint {...{ current, onEnd }} param={text.param} reason="has markup" />
  return <EditedText {...{ current, at, onEnd, target }} drawn={{ ...text, lines: text.lines }} />
}

function reasonOf(problem: PreviewProblem): string {
  return problem.kind === 'run' ? 'is drawn only by a run' : `can't be drawn: ${problem.message}`
}

function useTextTarget(param: string | undefined): TextTarget | undefined {
  const { id } = useStage()
  const params = useDocument(({ document }) => document.nodes[id]?.params)
  const parameters = useDocument(({ document }) => document.parameters)
  const values = useRun((run) => run.values)
  return useMemo(
    () =>
      param === undefined
        ? undefined
        : textTarget({ params: params ?? {}, parameters: parameters ?? [], values, param }),
    [param, params, parameters, values],
  )
}

interface EditedProps extends Pick<Props, 'current' | 'at' | 'onEnd'> {
  drawn: Required<FrameText>
  target: Exclude<TextTarget, { kind: 'locked' }>
}

/** A text area at the place of the caret takes keys, the clipboard and input methods. The caret and the selection are drawn over the picture. */
function EditedText({ current, at, onEnd, drawn, target }: EditedProps) {
  const { view, id } = useStage()
  const session = useTextSession({ drawn, target, at, onEnd })
  const { text, place, element } = session
  const caret = caretAt(text, place)
  const [x, y] = toScreen(view, [caret.x, caret.top])
  const height = caret.height * view.zoom
  return (
    <div data-text-editor data-drawn={drawn.value} data-parameter={target.kind === 'parameter' || undefined}>
      <div className={classes.surface} style={bodyStyle(current, view)} {...session.pointerProps} />
      <CaretMarks session={session} />
      <textarea
        ref={element}
        className={classes.input}
        aria-label={`Text of ${id}`}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        style={{ transform: `translate(${x}px, ${y}px)`, height, fontSize: Math.max(16, height * 0.75) }}
        {...session.inputProps}
      />
      {target.kind === 'parameter' && (
        <Marks style={markStyle(current, view)}>
          <ParameterMark name={target.name} action="Typing" />
        </Marks>
      )}
    </div>
  )
}

/** The selection, the caret, and the line under text that an input method is composing. */
function CaretMarks({ session: { text, place, selection, composition } }: { session: TextSession }) {
  const { view } = useStage()
  const boxOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => {
    const [left, top] = toScreen(view, [x, y])
    return { x: left, y: top, width: width * view.zoom, height: height * view.zoom }
  }
  const caret = caretAt(text, place)
  const [x, y] = toScreen(view, [caret.x, caret.top])
  const bar = { x: x - 1, y, width: 2, height: caret.height * view.zoom }
  return (
    <DrawingLayer>
      {areasOf(text, ...selection).map((area) => (
        <rect key={`${area.x} ${area.y}`} className={classes.selection} {...boxOf(area)} data-selection />
      ))}
      {composition !== undefined &&
        areasOf(text, ...composition).map((area) => {
          const { x, y, width, height } = boxOf(area)
          const bottom = y + height * 0.95
          return (
            <path
              key={`${area.x} ${area.y}`}
              className={classes.composition}
              d={`M ${x} ${bottom} h ${width}`}
              data-composition
            />
          )
        })}
      {selection[0] === selection[1] && (
        // Another place starts the blinking again.
        <g key={`${place.offset} ${text.value.length}`} className={classes.caret} data-caret data-line={caret.line}>
          <rect {...bar} className={classes.ground} />
          <rect {...bar} />
        </g>
      )}
    </DrawingLayer>
  )
}

interface HintProps extends Pick<Props, 'current' | 'onEnd'> {
  /** Continues "The text". */
  reason: string
  /** Path of the param, if it can be edited in the inspector. */
  param?: string
}

/** Why the text can't be edited here, and the field where it can. */
function Hint({ current, onEnd, reason, param }: HintProps) {
  const editor = useEditor()
  const { id, view } = useStage()
  const element = useRef<HTMLDivElement>(null)
  const node = useDocument(({ document }) => document.nodes[id])
  useEffect(() => element.current?.focus({ preventScroll: true }), [])
  const schema = (operationOf(editor.catalogue, node)?.params ?? {}) as JsonSchema
  const title = param === undefined ? '' : titleOf(schemaAt(schema, param), String(pathKeys(param).at(-1)))
  const show = () => {
    editor.document.getState().focusOn(joinPath('nodes', id, 'params', param ?? ''))
    onEnd(false)
  }
  return (
    <Marks style={markStyle(current, view)}>
      <div
        ref={element}
        role="alert"
        tabIndex={-1}
        className={classes.hint}
        onPointerDown={(event) => event.stopPropagation()}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) onEnd(false)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onEnd(true)
        }}
      >
        <Lock size={13} aria-hidden />
        <span>The text {reason}.</span>
        {param !== undefined && (
          <Button size="compact-xs" variant="default" onClick={show}>
            Edit {title} in the inspector
          </Button>
        )}
      </div>
    </Marks>
  )
}
