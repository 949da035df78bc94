import { VisuallyHidden } from '@mantine/core'
import { useRef, useState } from 'react'
import { useEditor } from '../state/editor-context.ts'
import { type CurrentFrame, framesAround } from './current-frame.ts'
import { Drawing } from './drawing.tsx'
import { FrameHandles, isText } from './frame-handles.tsx'
import { type Grip, within } from './grips.ts'
import { Loupe } from './loupe.tsx'
import type { Picture } from './picture.ts'
import { extentOf, type Point, pointAt } from './shape.ts'
import { type Guide, snapLines } from './snap.ts'
import { StageContext, type StageContextValue } from './stage-context.ts'
import { StageImage, sideOnScreen } from './stage-image.tsx'
import { TextEditor } from './text/text-editor.tsx'

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

/** The picture of a node, with its frames and their handles. */
export function PictureWithFrames(props: PictureProps) {
  const editor = useEditor()
  const { id, node, picture, kept, view, isSpaceHeld, toImage, setBusy, isStale } = props
  const { size } = picture
  const frames = props.frames.map((current) => {
    const shape = within({ ...current, image: size })
    return shape === current.shape ? current : { ...current, shape }
  })
  const [chosen, setActive] = useState<string>()
  const active = frames.some(({ frame }) => frame.id === chosen) ? chosen : frames[0]?.frame.id
  const [guides, setGuides] = useState<readonly Guide[]>([])
  const [grip, setGrip] = useState<{ frame: string; grip: Grip }>()
  const [said, say] = useState('')
  const [edited, setEdited] = useState<{ frame: string; at: Point | undefined }>()
  /** The frame whose text was left with Escape. */
  const [left, setLeft] = useState<string>()
  const editedFrame = frames.find(({ frame }) => frame.id === edited?.frame)
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

/** Large frames first, so that a small one inside can be reached with the pointer. */
function inOrder(frames: readonly CurrentFrame[]): CurrentFrame[] {
  const area = ({ frame, shape }: CurrentFrame) => {
    const [low, high] = extentOf(frame, shape)
    return (high[0] - low[0]) * (high[1] - low[1])
  }
  return frames.toSorted((a, b) => area(b) - area(a))
}
