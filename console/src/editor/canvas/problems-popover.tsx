import { Popover, Text, UnstyledButton } from '@mantine/core'
import type { Issue } from '../../api/client.ts'
import { PopupTarget, usePopupProps } from '../../ui/popup-target.tsx'
import type { Popup } from '../../ui/use-popup.ts'
import { joinPath, pathKeys } from '../document/path.ts'
import classes from './canvas-tools.module.css'

interface Props {
  popup: Popup
  issues: readonly Issue[]
  warnings: readonly Issue[]
  onGo(path: string): void
}

/** The list of problems. */
export function ProblemsPopover({ popup, issues, warnings, onGo }: Props) {
  return (
    <Popover {...usePopupProps(popup)} position="bottom-end" width={340} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <PopupTarget popup={popup} />
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.list}>
          {issues.map((issue) => (
            <Row key={`${issue.path} ${issue.message}`} issue={issue} onGo={onGo} />
          ))}
          {warnings.length > 0 && issues.length > 0 ? (
            <Text size="xs" c="dimmed" px={10} pt="xs">
              Hints
            </Text>
          ) : null}
          {warnings.map((issue) => (
            <Row key={`${issue.path} ${issue.message}`} issue={issue} onGo={onGo} />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

function Row({ issue: { path, message }, onGo }: { issue: Issue; onGo(path: string): void }) {
  return (
    <UnstyledButton className={classes.problem ?? ''} onClick={() => onGo(path)}>
      <span className={classes.where}>{locationOf(path)}</span>
      {message}
    </UnstyledButton>
  )
}

/** `nodes.title.params.box.x` -> `title · box.x`. */
function locationOf(path: string): string {
  const [section, id, part, ...rest] = pathKeys(path)
  if (section !== 'nodes' || id === undefined) return pathKeys(path).join(' · ') || 'Workflow'
  const field = joinPath(...(part === undefined || part === 'params' || part === 'inputs' ? [] : [part]), ...rest)
  return field === '' ? String(id) : `${id} · ${field}`
}
