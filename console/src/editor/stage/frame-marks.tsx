import { Button, Popover, Stack, Text, UnstyledButton } from '@mantine/core'
import { Lock, SlidersHorizontal } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { operationOf } from '../../api/operations.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { counted } from '../../ui/format.ts'
import { joinPath, pathKeys, setAt, valueAt } from '../document/path.ts'
import { type JsonSchema, schemaAt, titleOf } from '../form/schema.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { AnchorMark } from './anchor-mark.tsx'
import type { CurrentFrame } from './current-frame.ts'
import { frameTitle } from './describe.ts'
import classes from './handles.module.css'
import { boundsOf } from './shape.ts'
import { type AnchorSlot, type Slot, valueFor } from './slots.ts'
import { useStage } from './stage-context.ts'
import { replaceTemplate } from './write.ts'

/** A compass point that places the frame, the parameters that it edits, and a lock with the reasons and a way out. Below the frame. */
export function FrameMarks({
  current,
  isActive,
  style,
}: {
  current: CurrentFrame
  isActive: boolean
  style: CSSProperties
}) {
  const { frame, anchor } = current
  const slots = Object.values(current.slots).filter((slot): slot is Slot => slot !== undefined)
  const names = [...new Set(slots.flatMap(({ parameter }) => parameter ?? []))]
  const locked = slots.filter(({ lockedBy }) => lockedBy !== undefined)
  const isAnchorLocked = anchor?.lockedBy !== undefined
  const count = locked.length + (isAnchorLocked ? 1 : 0)
  const hasAnchorMark = anchor !== undefined && isActive
  if (count === 0 && names.length === 0 && !hasAnchorMark) return null
  return (
    <Marks style={style}>
      {hasAnchorMark && <AnchorMark current={current} anchor={anchor} />}
      {names.map((name) => (
        <ParameterMark key={name} name={name} action="Moving it" />
      ))}
      {count > 0 && (
        <Popover position="bottom-start" withArrow trapFocus>
          <Popover.Target>
            <UnstyledButton
              className={classes.lock ?? ''}
              aria-label={`${counted(count, 'locked value')} of ${frameTitle(frame)}`}
            >
              <Lock size={13} aria-hidden />
              {count}
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown>
            <Stack gap="xs">
              {locked.map((slot) => (
                <LockedSlot key={slot.bound} current={current} slot={slot} />
              ))}
              {isAnchorLocked && <LockedAnchor anchor={anchor} />}
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

function LockedSlot({ current, slot }: { current: CurrentFrame; slot: Slot }) {
  const { id } = useStage()
  const { frame, shape } = current
  return (
    <LockedRow
      param={slot.param}
      lockedBy={slot.lockedBy}
      value={valueFor(slot, boundsOf(frame, shape)[slot.bound] ?? 0)}
      replace={(document) => replaceTemplate(document, id, current, slot.bound)}
    />
  )
}

function LockedAnchor({ anchor: { param, lockedBy, value } }: { anchor: AnchorSlot }) {
  const { id } = useStage()
  return (
    <LockedRow
      param={param}
      lockedBy={lockedBy}
      value={value}
      replace={({ nodes }) => setAt(nodes[id] ?? {}, joinPath('params', param), value)}
    />
  )
}

interface RowProps {
  param: string
  lockedBy: readonly string[] | undefined
  value: number | string
  replace(document: WorkflowDocument): void
}

function LockedRow({ param, lockedBy, value, replace }: RowProps) {
  const editor = useEditor()
  const { id } = useStage()
  const node = useDocument(({ document }) => document.nodes[id])
  const schema = (operationOf(editor.catalogue, node)?.params ?? {}) as JsonSchema
  const title = titleOf(schemaAt(schema, param), String(pathKeys(param).at(-1)))
  const template = valueAt(node?.params, param)
  return (
    <div>
      <Text size="sm">
        {title} depends on {lockedBy?.join(', ') || 'a template'}
        {typeof template === 'string' ? ':' : '.'}
      </Text>
      {typeof template === 'string' && (
        <Text size="xs" ff="monospace" c="dimmed">
          {template}
        </Text>
      )}
      <Button
        size="xs"
        mt={4}
        variant="default"
        onClick={() => editor.document.getState().change(`Replace ${joinPath(param)} of ${id}`, replace)}
      >
        Replace by {value}
      </Button>
    </div>
  )
}
