import { ActionIcon, Button, Group, Loader, SegmentedControl, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { Brush, Maximize, X, ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useCommands } from '../../ui/commands/commands.ts'
import { useDocument, useEditor, useNodeRun, usePreview, useRun } from '../state/editor-context.ts'
import { stageCommands } from './commands.ts'
import { type CurrentFrame, framesAround } from './current-frame.ts'
import { Drawing } from './drawing.tsx'
import { Filmstrip } from './filmstrip.tsx'
import { FrameHandles, hasHandles, isText } from './frame-handles.tsx'
import type { Grip } from './grips.ts'
import { Loupe } from './loupe.tsx'
import { useMaskInput } from './mask/mask-input.ts'
import { MaskPainter } from './mask/mask-painter.tsx'
import { type Picture, useFrameNode, useSharpPicture } from './picture.ts'
import { extentOf, type Point, pointAt } from './shape.ts'
import { type Guide, snapLines } from './snap.ts'
import classes from './stage.module.css'
import { StageContext, type StageContextValue } from './stage-context.ts'
import { TextEditor } from './text/text-editor.tsx'
import { useFrames } from './use-frames.ts'
import { type LivePicture, type NeededRun, useLivePicture } from './use-live-picture.ts'
import { useStageView, zoomStep } from './use-stage-view.ts'

/** The picture of the selected node instead of the graph, with handles for what the node draws or reads. */
export function Stage() {
  const editor = useEditor()
  const id = useDocument(({ selection: [id = '', ...others], document }) =>
    others.length === 0 && Object.hasOwn(document.nodes, id) ? id : undefined,
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
  useCommands(
    useMemo(
      () =>
        stageCommands(editor, id, {
          ...{ fit, zoomToFull, zoomBy, element },
          paintMask: mask === undefined ? undefined : () => setPainting(true),
        }),
      [editor, id, fit, zoomToFull, zoomBy, element, mask],
    ),
  )
  useEffect(() => element.current?.focus({ preventScroll: true }), [element])
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
        <Text size="sm" fw={600} truncate>
          {id}
        </Text>
        {inputFrame !== undefined && painted === undefined && (
          <SegmentedControl
            size="xs"
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
        <Group gap={2} ml="auto" wrap="nowrap">
          <BarButton label="Zoom out (-)" onClick={() => zoomBy(1 / zoomStep)} Icon={ZoomOut} />
          <Tooltip label="Full size (1)">
            <Button size="compact-sm" variant="subtle" color="gray" onClick={zoomToFull} w={64}>
              {Math.round(view.zoom * 100)} %
            </Button>
          </Tooltip>
          <BarButton label="Zoom in (+)" onClick={() => zoomBy(zoomStep)} Icon={ZoomIn} />
          <BarButton label="Fit (0)" onClick={fit} Icon={Maximize} />
          <BarButton
            label="Back to the graph (Esc)"
            onClick={() => editor.canvas.setState({ isStageOpen: false })}
            Icon={X}
          />
        </Group>
      </div>
      <section
        ref={element}
        className={classes.view}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the stage handles keys
        tabIndex={0}
        aria-label={`Picture of ${node}`}
        data-panning={isSpaceHeld || undefined}
        {...panProps}
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

const sideStep = 256

/** Pixels of the screen for the longer side of the picture, at most those of the image. In steps, so that zooming requests few sizes. */
function sideOnScreen(picture: Picture | undefined, zoom: number): number {
  const { width, height } = picture?.size ?? { width: 0, height: 0 }
  const pixels = Math.max(width, height) * Math.min(zoom * window.devicePixelRatio, 1)
  return Math.ceil(pixels / sideStep) * sideStep
}

function isSameInput(frame: CurrentFrame['frame'], other: CurrentFrame['frame'] | undefined): boolean {
  return frame.socket === other?.socket
}

/** The area of a smart crop, for example. Faces are more than one area, and none is kept. */
function isKept(current: CurrentFrame, _: number, all: readonly CurrentFrame[]): boolean {
  const isArea = ({ frame }: CurrentFrame) => frame.kind === 'rect' && frame.of === 'input'
  return isArea(current) && !hasHandles(current) && all.filter(isArea).length === 1
}

interface PictureProps {
  id: string
  /** The node of the image: `id`, or the source of an input. */
  node: string
  picture: Picture
  frames: readonly CurrentFrame[]
  /** The part of the input that the node keeps, if no param sets it. */
  kept: CurrentFrame | undefined
  view: StageContextValue['view']
  isSpaceHeld: boolean
  toImage: StageContextValue['toImage']
  setBusy: StageContextValue['setBusy']
  /** The picture is older than the settings. */
  isStale: boolean
}

function PictureWithFrames(props: PictureProps) {
  const editor = useEditor()
  const { id, node, picture, frames, kept, view, isSpaceHeld, toImage, setBusy, isStale } = props
  const [chosen, setActive] = useState<string>()
  const active = frames.some(({ frame }) => frame.id === chosen) ? chosen : frames[0]?.frame.id
  const [guides, setGuides] = useState<readonly Guide[]>([])
  const [grip, setGrip] = useState<{ frame: string; grip: Grip }>()
  const [said, say] = useState('')
  const [edited, setEdited] = useState<{ frame: string; at: Point | undefined }>()
  /** The frame whose text was left with Escape. */
  const [left, setLeft] = useState<string>()
  const editedFrame = frames.find(({ frame }) => frame.id === edited?.frame)
  const { size } = picture
  const held = useRef(isSpaceHeld)
  held.current = isSpaceHeld
  const context: StageContextValue = {
    ...{ id, image: size, view, toImage, setBusy, setGuides, setGrip, say },
    isPanning: () => held.current,
    linesWithout: (frame) =>
      snapLines(size, [...frames.filter((other) => other.frame.id !== frame), ...framesAround(editor, node, id)]),
  }
  const dragged = frames.find(({ frame }) => frame.id === grip?.frame)
  const corner = dragged?.frame.kind === 'quad' && typeof grip?.grip === 'number' ? grip.grip : undefined
  return (
    <StageContext value={context}>
      <StageImage picture={picture} alt={`Result of ${id}`} view={view} isStale={isStale} />
      <Drawing frames={frames} kept={kept} active={active} guides={guides} image={size} view={view} />
      {inOrder(frames)
        .filter((current) => current !== editedFrame)
        .map((current) => (
          <FrameHandles
            key={current.frame.id}
            current={current}
            isActive={current.frame.id === active}
            takesFocus={current.frame.id === left}
            onActivate={() => setActive(current.frame.id)}
            onEdit={
              isText(current) && !editor.isReadOnly
                ? (position) => setEdited({ frame: current.frame.id, at: position && toImage(position) })
                : undefined
            }
          />
        ))}
      {edited !== undefined && editedFrame !== undefined && (
        <TextEditor
          key={edited.frame}
          current={editedFrame}
          at={edited.at}
          maxSide={sideOnScreen(picture, view.zoom)}
          onEnd={(isByKey) => {
            setEdited(undefined)
            setLeft(isByKey ? edited.frame : undefined)
          }}
        />
      )}
      {dragged !== undefined && corner !== undefined && (
        <Loupe picture={picture} at={pointAt(dragged.shape, corner)} view={view} />
      )}
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
    </StageContext>
  )
}

interface StageImageProps {
  picture: Picture
  alt: string
  view: StageContextValue['view']
  isStale?: boolean
}

function StageImage({ picture: { url, size }, alt, view: { zoom, offset }, isStale }: StageImageProps) {
  return (
    <img
      className={`${classes.picture} tt-checker`}
      src={url}
      alt={alt}
      draggable={false}
      data-stale={isStale || undefined}
      data-pixels={zoom >= 4 || undefined}
      style={{
        width: size.width,
        height: size.height,
        transform: `translate(${offset[0]}px, ${offset[1]}px) scale(${zoom})`,
      }}
    />
  )
}

/** Large frames first, so that a small one inside can be reached with the pointer. */
function inOrder(frames: readonly CurrentFrame[]): CurrentFrame[] {
  const area = ({ frame, shape }: CurrentFrame) => {
    const [low, high] = extentOf(frame, shape)
    return (high[0] - low[0]) * (high[1] - low[1])
  }
  return frames.toSorted((a, b) => area(b) - area(a))
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

function RunButton({ run }: { run: NeededRun }) {
  return (
    <Button size="compact-sm" variant="default" onClick={run.start}>
      Update the picture{run.price === undefined ? '' : ` · ${run.price}`}
    </Button>
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

interface BarButtonProps {
  label: string
  onClick(): void
  Icon: typeof X
}

function BarButton({ label, onClick, Icon }: BarButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
