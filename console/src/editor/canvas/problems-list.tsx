import { Button } from '@mantine/core'
import { CircleAlert, CircleDashed, TriangleAlert } from 'lucide-react'
import { Suspense } from 'react'
import { useCommands } from '../../ui/commands/commands.ts'
import { counted } from '../../ui/format.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { usePopup } from '../../ui/use-popup.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './canvas-tools.module.css'
import { isOnlyMissing, wordsOf } from './problems.ts'

const load = () => import('./problems-popover.tsx')
const ProblemsPopover = lazyPart(load, 'ProblemsPopover')

/** All problems of the workflow. Each focuses its field. */
export function Problems() {
  const { popup, isRendered, buttonProps } = usePopup({ kind: 'dialog', load })
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
    popup.onClose()
    focusOn(path)
  }
  return (
    <div className={classes.problems}>
      <Button {...buttonProps} size="sm" variant="default" leftSection={<Icon size={16} aria-hidden color={color} />}>
        {issues.length > 0 ? wordsOf(issues.length, areMissing) : counted(warnings.length, 'hint')}
      </Button>
      {isRendered && (
        <Suspense>
          <ProblemsPopover popup={popup} issues={issues} warnings={warnings} onGo={go} />
        </Suspense>
      )}
    </div>
  )
}
