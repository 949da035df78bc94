import { UnstyledButton } from '@mantine/core'
import { Anchor } from 'lucide-react'
import { useEditor } from '../state/editor-context.ts'
import { freed } from './anchored.ts'
import type { CurrentFrame } from './current-frame.ts'
import { frameTitle } from './describe.ts'
import classes from './handles.module.css'
import { boundsOf } from './shape.ts'
import { type AnchorSlot, valueFor } from './slots.ts'
import { useStage } from './stage-context.ts'
import { writeParams } from './write.ts'

const hint = 'Dragging it keeps this position and changes the margin, or takes the position that is nearer.'

/** The compass point that places a frame, and a button for places between them: the same as Alt, for touch and keys. */
export function AnchorMark({ current, anchor }: { current: CurrentFrame; anchor: AnchorSlot }) {
  const editor = useEditor()
  const { id, image } = useStage()
  const { value, lockedBy } = anchor
  const name = (
    <>
      <Anchor size={12} aria-hidden />
      {value}
    </>
  )
  const isFreed = lockedBy === undefined && Object.keys(anchor.free).length > 0
  if (!isFreed)
    return (
      <span className={classes.anchor} title={hint}>
        {name}
      </span>
    )
  const free = () => {
    const before = freed({ ...current, image })
    const bounds = boundsOf(before.frame, before.shape)
    const writes = new Map(
      Object.values(anchor.free).map((slot) => [slot.bound, valueFor(slot, bounds[slot.bound] ?? 0)] as const),
    )
    const title = frameTitle(current.frame)
    editor.document
      .getState()
      .change(`Place ${title.toLowerCase()} of ${id} freely`, (document) =>
        writeParams(document, id, before, { writes }),
      )
  }
  return (
    <UnstyledButton
      className={classes.lock ?? ''}
      title={`${hint} Alt places it freely, and so does this button.`}
      aria-label={`${frameTitle(current.frame)} is placed by ${value}. Place it freely`}
      onClick={free}
    >
      {name}
    </UnstyledButton>
  )
}
