import { ActionIcon, Button, Tooltip, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, CircleAlert, CircleCheck, CircleDashed, CloudAlert, LoaderCircle } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../ui/commands/commands.ts'
import { keepFocus } from '../ui/focus-on-page.ts'
import { lazyPart } from '../ui/lazy-part.ts'
import { useDocument, useEditor, usePublishedWorkflow } from './state/editor-context.ts'
import { useIsPublished } from './versions/use-is-published.ts'
import classes from './workflow.module.css'

const PublishDialog = lazyPart(() => import('./versions/publish-dialog.tsx'), 'PublishDialog')

const tabs = [
  { to: '/workflows/$workflowId', label: 'Editor' },
  { to: '/workflows/$workflowId/run', label: 'Run' },
  { to: '/workflows/$workflowId/versions', label: 'Versions' },
  { to: '/workflows/$workflowId/api', label: 'API' },
] as const

/** The name, the state of saving and publishing, and the tabs. */
export function WorkflowHeader() {
  const { workflowId } = useEditor()
  const workflow = usePublishedWorkflow()
  const [isPublishing, setPublishing] = useState(false)
  const name = useDocument(({ document }) => document.name)
  const isPublished = useIsPublished()
  const isEmpty = useDocument(({ document }) => Object.keys(document.nodes).length === 0)
  useCommands([
    {
      id: 'workflow.publish',
      title: 'Publish…',
      group: 'Workflow',
      shortcuts: ['mod+shift+P'],
      reach: 'fields',
      isEnabled: () => !isEmpty && !isPublished,
      run: () => setPublishing(true),
    },
  ])
  return (
    <header className={classes.header}>
      <title>{`${name || 'Untitled'} · Tintype`}</title>
      <VisuallyHidden component="h1">{name || 'Untitled'}</VisuallyHidden>
      <div className={classes.title}>
        <Tooltip label="All workflows">
          <ActionIcon
            component={Link}
            to="/workflows"
            variant="subtle"
            color="gray"
            size={34}
            aria-label="All workflows"
          >
            <ArrowLeft size={18} />
          </ActionIcon>
        </Tooltip>
        <NameField />
        <SaveMark />
      </div>
      <div className={classes.actions}>
        <span className={`${classes.state} ${classes.version}`}>
          {workflow === null ? 'Never published' : isPublished ? `Version ${workflow.version}` : 'Unpublished changes'}
        </span>
        <Button size="sm" disabled={isEmpty || isPublished} onClick={() => setPublishing(true)}>
          Publish
        </Button>
      </div>
      <nav className={classes.tabs} aria-label="Workflow">
        {tabs.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            params={{ workflowId }}
            className={classes.tab ?? ''}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {label}
          </Link>
        ))}
        <Link to="/executions" search={{ workflowId } as never} className={classes.tab ?? ''}>
          Executions
        </Link>
      </nav>
      {isPublishing ? (
        <Suspense fallback={null}>
          <PublishDialog onClose={() => setPublishing(false)} />
        </Suspense>
      ) : null}
    </header>
  )
}

function NameField() {
  const { change } = useEditor().document.getState()
  const name = useDocument(({ document }) => document.name)
  return (
    <input
      className={classes.name}
      aria-label="Name of the workflow"
      value={name}
      maxLength={200}
      placeholder="Untitled"
      onChange={({ currentTarget: { value } }) =>
        change(
          'Rename the workflow',
          (document) => {
            document.name = value
          },
          { key: 'name' },
        )
      }
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.currentTarget.blur()
        keepFocus()
      }}
    />
  )
}

/** Shows whether the document is saved. */
function SaveMark() {
  const { autosave } = useEditor()
  const state = useStore(autosave.state)
  const marks = {
    saved: { Icon: CircleCheck, text: 'Saved' },
    waiting: { Icon: CircleDashed, text: 'Edited' },
    saving: { Icon: LoaderCircle, text: 'Saving' },
    failed: { Icon: CloudAlert, text: 'Not saved, trying again' },
    conflict: { Icon: CircleAlert, text: 'Not saved' },
  }
  const { Icon, text } = marks[state.kind]
  return (
    <span className={classes.state} role="status" data-save-state={state.kind}>
      <Icon size={14} aria-hidden />
      {text}
    </span>
  )
}
