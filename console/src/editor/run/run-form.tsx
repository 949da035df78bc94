import { ScrollArea } from '@mantine/core'
import type { RefObject } from 'react'
import { ParameterFields } from '../form/parameter-fields.tsx'
import { useDocument, useRun } from '../state/editor-context.ts'
import { parameterIssues } from '../state/parameter-values.ts'
import classes from './run-panel.module.css'

/** The parameters of the next run. */
export function RunForm({ form }: { form: RefObject<HTMLDivElement | null> }) {
  const parameters = useDocument(({ document }) => document.parameters) ?? []
  const values = useRun((run) => run.values)
  const setValues = useRun((run) => run.setValues)
  const problem = useRun((run) => run.problem)
  return (
    <ScrollArea ref={form} className={classes.form ?? ''} type="auto">
      <ParameterFields parameters={parameters} values={values} onChange={setValues} issues={parameterIssues(problem)} />
    </ScrollArea>
  )
}
