import { Button, Loader, SegmentedControl, Text, Tooltip } from '@mantine/core'
import { Brush } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useCommands } from '../../ui/commands/commands.ts'
import { hasMovedToField } from '../../ui/moved-focus.ts'
import { hasPicture } from '../canvas/actions/focus.ts'
import { useAskBeforeRun } from '../results/ask-above.tsx'
import { priceText } from '../results/price.ts'
import { useDocument, useEditor, useNodeRun, usePreview, useRun } from '../state/editor-context.ts'
import { dropProps, requestAfter } from './add-after.ts'
import { stageCommands } from './commands.ts'
import type { CurrentFrame } from './current-frame.ts'
import { Filmstrip } from './filmstrip.tsx'
import { hasHandles } from './frame-handles.tsx'
import { useMaskInput } from './mask/mask-input.ts'
import { MaskPainter } from './mask/mask-painter.tsx'
import { useFrameNode, useSharpPicture } from './picture.ts'
import { PictureWithFrames } from './picture-with-frames.tsx'
import classes from './stage.module.css'
import { StageImage, sideOnScreen } from './stage-image.tsx'
import { useFrames } from './use-frames.ts'
import { type LivePicture, type NeededRun, useLivePicture } from './use-live-picture.ts'
import { useStageView } from './use-stage-view.ts'
import { ViewButtons } from './view-buttons.tsx'

/** The picture of the selected node instead of the graph, with handles for what the node draws or reads. */
export function Stage() {
  const editor = useEditor()
  const id = useDocument(({ selection: [id, ...others] }) =>
    others.length === 0 && hasPicture(editor, id) ? id : undefined,
  )
  useEffect(() => {
    if (id === undefined) editor.canvas.setState({ isStageOpen: false })
  }, [editor, id])
  return id === undefined ? null : <NodeStage key={id} id={id} />
}

type Side = 'input' | 'result'

function NodeStage({ id }: { id: string }) {
  const editor = useEditor()
  const all = useFrames(id)
  const frames = all.filter(hasHandles)
  const [isBusy, setBusy] = useState(false)
  const mask = useMaskInput(id)
  const [isPainting, setPainting] = useState(false)
  const painted = isPainting ? mask : undefined
  const live = useLivePicture(painted?.image ?? id)
  const isSettled = live.isSettled && !isBusy
  const [chosenSide, setSide] = useState<Side>()
  const inputFrame = frames.find(({ frame }) => frame.of === 'input')?.frame
  const side = chosenSide ?? (inputFrame === undefined ? 'result' : 'input')
  const shownFrame = side === 'input' ? inputFrame : undefined
  const frameNode = useFrameNode(id, shownFrame) ?? id
  const node = painted?.image ?? frameNode
  const { picture } = useSharpPicture(node)
  const shown = frames.filter(({ frame }) => frame.of === side && (side === 'result' || isSameInput(frame, inputFrame)))
  const { view, element, isSpaceHeld, panProps, zoomBy, fit, zoomToFull, toImage } = useStageView(picture?.size)
  usePreview(node, { maxSide: sideOnScreen(picture, view.zoom) })
  const addAfter = useCallback(() => editor.canvas.setState({ palette: requestAfter(editor, id) }), [editor, id])
  useCommands(
    useMemo(
      () =>
        stageCommands(editor, id, {
          ...{ fit, zoomToFull, zoomBy, element, addAfter },
          paintMask: mask === undefined ? undefined : () => setPainting(true),
        }),
      [editor, id, fit, zoomToFull, zoomBy, element, addAfter, mask],
    ),
  )
  useEffect(() => {
    // A field that got the focus while the stage was loaded keeps it.
    if (!hasMovedToField(null)) element.current?.focus({ preventScroll: true })
  }, [element])
  const leaveMask = () => {
    setPainting(false)
    element.current?.focus({ preventScroll: true })
  }
  return (
    <section
      className={classes.stage}
      aria-label="Stage"
      data-stage
      data-settled={(isSettled && picture !== undefined) || undefined}
    >
      <div className={classes.bar}>
        <Text size="sm" fw={600} truncate miw={64}>
          {id}
        </Text>
        {inputFrame !== undefined && painted === undefined && (
          <SegmentedControl
            size="xs"
            flex="none"
            aria-label="Picture"
            data={[
              { value: 'input', label: 'Input' },
              { value: 'result', label: 'Result' },
            ]}
            value={side}
            onChange={(value) => setSide(value as Side)}
          />
        )}
        {mask !== undefined && (
          <Tooltip label="Paint the mask (B)">
            <Button
              size="compact-sm"
              flex="none"
              variant={isPainting ? 'light' : 'default'}
              aria-label="Paint the mask"
              aria-pressed={isPainting}
              leftSection={<Brush size={14} aria-hidden />}
              onClick={() => setPainting(!isPainting)}
            >
              Mask
            </Button>
          </Tooltip>
        )}
        <LiveState id={id} live={live} />
        <ViewButtons {...{ zoomBy, zoomToFull, fit, addAfter }} percent={Math.round(view.zoom * 100)} />
      </div>
      <section
        ref={element}
        className={classes.view}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the stage handles keys
        tabIndex={0}
        aria-label={`Picture of ${node}`}
        data-panning={isSpaceHeld || undefined}
        {...panProps}
        {...(editor.isReadOnly ? {} : dropProps(editor, id))}
      >
        {picture === undefined ? (
          <NoPicture live={live} />
        ) : painted !== undefined ? (
          <>
            <StageImage picture={picture} alt={`Input of ${id}`} view={view} />
            <MaskPainter
              key={painted.socket}
              id={id}
              socket={painted.socket}
              picture={picture}
              view={view}
              isPanning={isSpaceHeld}
              toImage={toImage}
              onLeave={leaveMask}
            />
          </>
        ) : (
          <PictureWithFrames
            id={id}
            node={node}
            picture={picture}
            frames={shown}
            kept={side === 'input' ? all.find(isKept) : undefined}
            view={view}
            isSpaceHeld={isSpaceHeld}
            toImage={toImage}
            setBusy={setBusy}
            isStale={side === 'result' && (live.needed ?? live.problem) !== undefined}
          />
        )}
      </section>
      <Filmstrip id={id} isSettled={isSettled} />
    </section>
  )
}

function isSameInput(frame: CurrentFrame['frame'], other: CurrentFrame['frame'] | undefined): boolean {
  return frame.socket === other?.socket
}

/** The area of a smart crop, for example. Faces are more than one area, and none is kept. */
function isKept(current: CurrentFrame, _: number, all: readonly CurrentFrame[]): boolean {
  const isArea = ({ frame }: CurrentFrame) => frame.kind === 'rect' && frame.of === 'input'
  return isArea(current) && !hasHandles(current) && all.filter(isArea).length === 1
}

function LiveState({ id, live }: { id: string; live: LivePicture }) {
  const isRunning = useRun((run) => run.isRunning)
  const run = useNodeRun(id)
  if (isRunning) return <Loader size={14} aria-label="The picture is being made" />
  const problem = live.problem ?? (live.isSettled ? undefined : run?.error?.message)
  if (problem !== undefined)
    return (
      <Text size="xs" c="var(--mantine-color-error)" truncate title={problem}>
        {problem}
      </Text>
    )
  return live.needed === undefined ? null : <RunButton run={live.needed} />
}

function RunButton({ run: { price, priceNow, start } }: { run: NeededRun }) {
  const { ask, dialog } = useAskBeforeRun()
  const text = price === undefined ? '' : priceText(price)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => ask(priceNow, start)}>
        Update the picture{text === '' ? '' : ` · ${text}`}
      </Button>
      {dialog}
    </>
  )
}

/** The stage before its first picture. */
function NoPicture({ live }: { live: LivePicture }) {
  const isRunning = useRun((run) => run.isRunning)
  if (live.needed !== undefined)
    return (
      <div className={classes.nothing}>
        <Text c="dimmed">No picture yet.</Text>
        <RunButton run={live.needed} />
      </div>
    )
  return (
    <div className={classes.nothing}>
      {isRunning || live.problem === undefined ? <Loader size="sm" /> : <Text c="dimmed">No picture yet.</Text>}
    </div>
  )
}
