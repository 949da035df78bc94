import { Alert, Button, Drawer, Group, Skeleton, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type ParameterValue, readValue } from '../../../../shared/parameters.ts'
import { type Batch, type BatchItem, changeRow, retryRows } from '../../api/batches.ts'
import { issuesOf } from '../../api/client.ts'
import { onThisOrigin } from '../../api/executions.ts'
import { operationsQuery, toCatalogue } from '../../api/operations.ts'
import type { Parameter, ParameterValues } from '../../api/workflow-document.ts'
import { documentQuery } from '../../api/workflows.ts'
import { ParameterFields } from '../../editor/form/parameter-fields.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { ImageView } from '../../ui/image-view.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import classes from './batch.module.css'

interface Props {
  batch: Batch
  item: BatchItem
  onClose(): void
}

/** One row: its image or error, and its values, which can be changed if it failed. */
export function ItemDrawer({ batch, item, onClose }: Props) {
  useReturnFocus()
  const queryClient = useQueryClient()
  const { data: document } = useQuery(documentQuery(batch.workflowId, batch.workflowVersion))
  const { data: operations } = useQuery(operationsQuery)
  const catalogue = useMemo(() => toCatalogue(operations ?? []), [operations])
  const declared = useMemo(() => withDefaults(document?.parameters ?? [], batch.defaults), [document, batch.defaults])
  const [values, setValues] = useState<ParameterValues>()
  const { key, status, output, error, executionId, parameters } = item
  const hasFailed = status === 'failed' || status === 'cancelled'
  const canRetry = hasFailed && batch.status !== 'cancelled'
  const canChange = canRetry || batch.status === 'created'
  const saving = useMutation({
    mutationFn: async () => {
      const changed = values === undefined ? {} : changesOf(declared, parameters, values)
      if (Object.keys(changed).length > 0) await changeRow(batch.id, key, changed)
      if (canRetry) await retryRows(batch.id, [key])
    },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['batches', batch.id] })
      onClose()
    },
  })
  const issues = issuesOf(saving.error)
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={`Row ${key}`}>
      <Stack>
        {output && (
          <div className={classes.output}>
            <ImageView
              url={onThisOrigin(output.url)}
              address={output.url}
              alt={`Output of row ${key}`}
              width={output.width}
              height={output.height}
              format={output.format}
            />
          </div>
        )}
        {error && (
          <Alert color="red" title="The execution failed">
            {error.message}
          </Alert>
        )}
        {executionId !== undefined && (
          <Link to="/executions/$executionId" params={{ executionId }} className={classes.link ?? ''}>
            View the execution
          </Link>
        )}
        {document === undefined || operations === undefined ? (
          <Skeleton height={120} />
        ) : canChange ? (
          <ParameterFields
            parameters={declared}
            document={document}
            catalogue={catalogue}
            values={values ?? readAll(declared, parameters)}
            onChange={setValues}
            issues={issues}
          />
        ) : (
          <FactList facts={declared.map(({ name, default: preset }) => [name, parameters[name] ?? preset ?? ''])} />
        )}
        {issues.length === 0 && <ErrorText error={saving.error} size="sm" />}
        {canChange && (
          <Group justify="flex-end">
            <Button onClick={() => saving.mutate()} loading={saving.isPending}>
              {canRetry ? 'Retry this row' : 'Save'}
            </Button>
          </Group>
        )}
      </Stack>
    </Drawer>
  )
}

/** The parameters with the defaults of the batch. */
function withDefaults(parameters: readonly Parameter[], defaults: Batch['defaults']): Parameter[] {
  return parameters.map((parameter) => {
    const preset = defaults[parameter.name]
    return preset === undefined || preset === null ? parameter : { ...parameter, default: preset as ParameterValue }
  })
}

/** The values of a row, as forms show them. */
function readAll(declared: readonly Parameter[], values: BatchItem['parameters']): ParameterValues {
  return Object.fromEntries(
    declared.flatMap((parameter) => {
      const value = values[parameter.name]
      if (value === undefined || value === null) return []
      // A wrong value stays as it is.
      return [[parameter.name, (readValue(parameter, value as ParameterValue).value ?? value) as ParameterValue]]
    }),
  )
}

/** The changed values. A removed value is null, so that the row uses the default. */
function changesOf(
  declared: readonly Parameter[],
  before: BatchItem['parameters'],
  after: ParameterValues,
): Record<string, unknown> {
  const read = readAll(declared, before)
  return Object.fromEntries(
    declared.flatMap(({ name }) =>
      JSON.stringify(read[name]) === JSON.stringify(after[name]) ? [] : [[name, after[name] ?? null]],
    ),
  )
}
