import { Button, Popover, Stack, Text, UnstyledButton } from '@mantine/core'
import { Lock, SlidersHorizontal } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { operationOf } from '../../api/operations.ts'
import { counted } from '../../ui/format.ts'
import { joinPath, pathKeys, valueAt } from '../document/path.ts'
import { type JsonSchema, schemaAt, titleOf } from '../form/schema.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import type { CurrentFrame } from './current-frame.ts'
import { frameTitle } from './describe.ts'
import classes from './handles.module.css'
import { boundsOf } from './shape.ts'
import { type Slot, valueFor } from './slots.ts'
import { useStage } from './stage-context.ts'
import { replaceTemplate } from './write.ts'

interface Props {
  current: CurrentFrame
  /** Bounds that templates set. */
  locked: readonly Slot[]
  /** Bounds that edit the value of a parameter. */
  edited: readonly Slot[]
  style: CSSProperties
}

/** The parameters that a frame edits, and a lock with the reasons and a way out. It is below the frame. */
export function LockMark({ current, locked, edited, style }: Props) {
  const names = [...new Set(edited.flatMap(({ parameter }) => parameter ?? []))]
  return (
    <Marks style={style}>
      {names.map((name) => (
        <ParameterMark key={name} name={name} action="Moving it" />
      ))}
      {locked.length > 0 && (
        <Popover position="bottom-start" withArrow trapFocus>
          <Popover.Target>
            <UnstyledButton
              className={classes.lock ?? ''}
              aria-label={`${counted(locked.length, 'locked value')} of ${frameTitle(current.frame)}`}
            >
              <Lock size={13} aria-hidden />
              {locked.length}
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown>
            <Stack gap="xs">
              {locked.map((slot) => (
                <LockedRow key={slot.bound} current={current} slot={slot} />
              ))}
            </Stack>
          </Popover.Dropdown>
        </Popover>
      )}
    </Marks>
  )
}

/** Notes below a frame. */
export function Marks({ style, children }: { style: CSSProperties; children: ReactNode }) {
  return (
    <div className={classes.marks} style={style}>
      {children}
    </div>
  )
}

/** The parameter whose value `action` changes. */
export function ParameterMark({ name, action }: { name: string; action: string }) {
  return (
    <span className={classes.parameter} title={`${action} changes the value of ${name} in the run form.`}>
      <SlidersHorizontal size={12} aria-hidden />
      {name}
    </span>
  )
}

function LockedRow({ current, slot }: { current: CurrentFrame; slot: Slot }) {
  const editor = useEditor()
  const { id } = useStage()
  const { frame, slots, shape } = current
  const node = useDocument(({ document }) => document.nodes[id])
  const schema = (operationOf(editor.catalogue, node)?.params ?? {}) as JsonSchema
  const title = titleOf(schemaAt(schema, slot.param), String(pathKeys(slot.param).at(-1)))
  const value = valueFor(slot, boundsOf(frame, shape)[slot.bound] ?? 0)
  const template = valueAt(node?.params, slot.param)
  const replace = () =>
    editor.document.getState().change(`Replace ${joinPath(slot.param)} of ${id}`, (document) => {
      replaceTemplate(document, id, { frame, shape, slots }, slot.bound)
    })
  return (
    <div>
      <Text size="sm">
        {title} depends on {slot.lockedBy?.join(', ') || 'a template'}
        {typeof template === 'string' ? ':' : '.'}
      </Text>
      {typeof template === 'string' && (
        <Text size="xs" ff="monospace" c="dimmed">
          {template}
        </Text>
      )}
      <Button size="xs" mt={4} variant="default" onClick={replace}>
        Replace by {value}
      </Button>
    </div>
  )
}
