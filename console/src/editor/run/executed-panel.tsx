import { Anchor, ScrollArea, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FactList } from '../../ui/fact-list.tsx'
import { isNarrow } from '../../ui/screen.ts'
import { useRun } from '../state/editor-context.ts'
import { Dock } from './dock.tsx'
import { PanelToggle } from './panel-toggle.tsx'
import classes from './run-panel.module.css'
import { RunResult } from './run-result.tsx'
import { RunStatus } from './run-status.tsx'
import { useFocusFailed } from './use-focus-failed.ts'

/** Panel below the canvas of an executed document: the parameters, the result and the steps of the execution. */
export function ExecutedPanel() {
  const execution = useRun((run) => run.execution)
  const [isOpen, setOpen] = useState(() => !isNarrow())
  useFocusFailed()
  const parameters = Object.entries(execution?.parameters ?? {})
  return (
    <Dock isOpen={isOpen}>
      <div className={classes.head}>
        <RunStatus />
        {execution !== undefined && (
          <Text size="sm" ml="auto" className={classes.next ?? ''}>
            <Anchor
              component={Link}
              to="/executions/$executionId"
              params={{ executionId: execution.executionId } as never}
              inherit
            >
              View the execution
            </Anchor>
          </Text>
        )}
        <PanelToggle isOpen={isOpen} onOpen={setOpen} />
      </div>
      {isOpen && (
        <div className={classes.body} data-form={parameters.length > 0 || undefined}>
          {parameters.length > 0 && (
            <ScrollArea className={classes.form ?? ''} type="auto">
              <section aria-label="Parameters">
                <FactList facts={parameters} />
              </section>
            </ScrollArea>
          )}
          <RunResult />
        </div>
      )}
    </Dock>
  )
}
