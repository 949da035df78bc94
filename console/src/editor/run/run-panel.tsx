import { ActionIcon, Button, Group, ScrollArea, Text, Tooltip } from '@mantine/core'
import { ChevronDown, ChevronUp, CornerRightDown, Play, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { onThisOrigin } from '../../api/executions.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import { Picture } from '../../ui/picture.tsx'
import { ParameterFields } from '../form/parameter-fields.tsx'
import { useCatalogue } from '../form/template/scope.ts'
import { useEditor, useEditorStore } from '../state/editor-context.tsx'
import { useRun } from '../state/run-context.tsx'
import { failedField } from './failed-field.ts'
import { planText, usePlan } from './plan.ts'
import classes from './run-panel.module.css'
import { RunStatus } from './run-status.tsx'
import { StepList } from './step-list.tsx'
import { useRefusedField } from './use-refused-field.ts'
import { parameterIssues } from './values.ts'

/** Below the canvas: the values to run with, the run as it goes on, and what came of it. */
export function RunPanel() {
  const run = useRun()
  const editor = useEditorStore()
  const parameters = useEditor((state) => state.document.parameters)
  const selection = useEditor((state) => state.selection)
  const nodes = useEditor((state) => state.document.nodes)
  const [isOpen, setOpen] = useState(false)
  const plan = usePlan(isOpen && !run.isRunning)
  const [only] = selection
  const target = selection.length === 1 && only !== undefined && Object.hasOwn(nodes, only) ? only : undefined
  const start = (node?: string) => {
    setOpen(true)
    run.start(node === undefined ? {} : { node })
  }
  const group = 'Run'
  useCommands([
    {
      id: 'run.start',
      title: 'Run',
      group,
      shortcuts: ['mod+Enter'],
      reach: 'everywhere',
      isEnabled: () => !run.isRunning,
      run: () => start(),
    },
    {
      id: 'run.toNode',
      title: 'Run to the selected node',
      group,
      shortcuts: ['mod+shift+Enter'],
      reach: 'fields',
      isEnabled: () => !run.isRunning && target !== undefined,
      run: () => start(target),
    },
    {
      id: 'run.cancel',
      title: 'Cancel the run',
      group,
      shortcuts: ['mod+.'],
      reach: 'fields',
      isEnabled: () => run.isRunning,
      run: run.cancel,
    },
    {
      id: 'run.panel',
      title: isOpen ? 'Hide the run panel' : 'Show the run panel',
      group,
      shortcuts: ['R'],
      run: () => setOpen(!isOpen),
    },
  ])

  // What failed is shown where it is mended.
  const { execution } = run
  const catalogue = useCatalogue()
  const told = useRef<string>(undefined)
  useEffect(() => {
    const failed = execution?.status === 'failed' ? execution : undefined
    const node = failed?.error?.details.node
    if (failed === undefined || typeof node !== 'string' || told.current === failed.executionId) return
    told.current = failed.executionId
    const { document, focusOn } = editor.getState()
    if (failed.error !== undefined)
      focusOn(failedField(failed.error, node, catalogue.get(document.nodes[node]?.type ?? '')))
  }, [execution, editor, catalogue])

  const form = useRefusedField<HTMLDivElement>(run.problem)
  const output = execution?.output
  const hasForm = (parameters?.length ?? 0) > 0
  return (
    <section className={classes.panel} aria-label="Run">
      <div className={classes.head}>
        {run.isRunning ? (
          <Button size="xs" h={32} fz="sm" variant="default" leftSection={<Square size={14} />} onClick={run.cancel}>
            Cancel
          </Button>
        ) : (
          <Tooltip label="Ctrl+Enter">
            <Button size="xs" h={32} fz="sm" leftSection={<Play size={14} />} onClick={() => start()}>
              Run
            </Button>
          </Tooltip>
        )}
        {target !== undefined && !run.isRunning && (
          <Button
            size="xs"
            h={32}
            fz="sm"
            variant="default"
            leftSection={<CornerRightDown size={14} />}
            onClick={() => start(target)}
          >
            Run to {target}
          </Button>
        )}
        <RunStatus />
        <Group gap="sm" ml="auto" wrap="nowrap">
          {plan && !run.isRunning && (
            <Text size="xs" c="dimmed" className={classes.next ?? ''}>
              Next: {planText(plan)}
            </Text>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-expanded={isOpen}
            aria-label={isOpen ? 'Hide the run panel' : 'Show the run panel'}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <ChevronDown size={18} /> : <ChevronUp size={18} />}
          </ActionIcon>
        </Group>
      </div>
      {isOpen && (
        <div className={classes.body} data-form={hasForm || undefined}>
          {hasForm && (
            <ScrollArea ref={form} className={classes.form ?? ''} type="auto">
              <ParameterFields
                parameters={parameters ?? []}
                values={run.values}
                onChange={run.setValues}
                issues={parameterIssues(run.problem)}
              />
            </ScrollArea>
          )}
          <div className={classes.result}>
            {output === undefined ? (
              <Text size="sm" c="dimmed" className={classes.nothing ?? ''}>
                {run.isRunning
                  ? 'The image is on its way.'
                  : (execution?.error?.message ?? 'Run the workflow to see its image here.')}
              </Text>
            ) : (
              <Picture
                url={onThisOrigin(output.url)}
                alt="The result"
                width={output.width}
                height={output.height}
                format={output.format}
                before={
                  run.previousUrl === undefined
                    ? undefined
                    : { url: onThisOrigin(run.previousUrl), label: 'Compare with before' }
                }
              />
            )}
          </div>
          <ScrollArea className={classes.steps ?? ''} type="auto">
            <StepList steps={run.steps} onOpen={(node) => editor.getState().focusOn(`nodes.${node}`)} />
          </ScrollArea>
        </div>
      )}
    </section>
  )
}
