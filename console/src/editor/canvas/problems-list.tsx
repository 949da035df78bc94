import { Button, Popover, Text, UnstyledButton } from '@mantine/core'
import { CircleAlert, CircleDashed, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Issue } from '../../api/client.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import { counted } from '../../ui/format.ts'
import { joinPath, pathKeys } from '../document/path.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './canvas-tools.module.css'
import { isOnlyMissing, wordsOf } from './problems.ts'

/** All problems of the workflow. Each focuses its field. */
export function Problems() {
  const [isOpen, setOpen] = useState(false)
  const issues = useDocument((state) => state.issues)
  const warnings = useDocument((state) => state.warnings)
  const areMissing = useDocument(({ document, issues: all }) => isOnlyMissing(document, all))
  const { focusOn } = useEditor().document.getState()
  const [first] = issues
  useCommands([
    {
      id: 'canvas.problem',
      title: 'Go to the first problem',
      group: 'Editing',
      shortcuts: ['F8'],
      reach: 'fields',
      isEnabled: () => first !== undefined,
      run: () => first !== undefined && focusOn(first.path),
    },
  ])
  if (issues.length + warnings.length === 0) return null
  const areWrong = issues.length > 0 && !areMissing
  const Icon = areWrong ? CircleAlert : areMissing ? CircleDashed : TriangleAlert
  const color = areWrong
    ? 'var(--mantine-color-error)'
    : areMissing
      ? 'var(--tt-missing)'
      : 'var(--mantine-color-dimmed)'
  const go = (path: string) => {
    setOpen(false)
    focusOn(path)
  }
  return (
    <div className={classes.problems}>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={340} shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <Button
            size="sm"
            variant="default"
            leftSection={<Icon size={16} aria-hidden color={color} />}
            onClick={() => setOpen(!isOpen)}
          >
            {issues.length > 0 ? wordsOf(issues.length, areMissing) : counted(warnings.length, 'hint')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <div className={classes.list}>
            {issues.map((issue) => (
              <Row key={`${issue.path} ${issue.message}`} issue={issue} onGo={go} />
            ))}
            {warnings.length > 0 && issues.length > 0 ? (
              <Text size="xs" c="dimmed" px={10} pt="xs">
                Hints
              </Text>
            ) : null}
            {warnings.map((issue) => (
              <Row key={`${issue.path} ${issue.message}`} issue={issue} onGo={go} />
            ))}
          </div>
        </Popover.Dropdown>
      </Popover>
    </div>
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
