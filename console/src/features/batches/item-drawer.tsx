import { Alert, Button, Drawer, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Batch, type BatchItem, changeRow, retryRows } from '../../api/batches.ts'
import { issuesOf } from '../../api/client.ts'
import { onThisOrigin } from '../../api/executions.ts'
import type { Parameter } from '../../api/workflow-document.ts'
import { documentQuery } from '../../api/workflows.ts'
import { ErrorText } from '../../ui/error-text.tsx'
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
  const [typed, setTyped] = useState<Record<string, string>>({})
  const { key, status, output, error, executionId, parameters } = item
  const hasFailed = status === 'failed' || status === 'cancelled'
  const canRetry = hasFailed && batch.status !== 'cancelled'
  const canChange = canRetry || batch.status === 'created'
  const saving = useMutation({
    mutationFn: async () => {
      const declared = document?.parameters ?? []
      const changed = Object.entries(typed).map(([name, text]) => [name, valueOfText(text, declared, name)])
      if (changed.length > 0) await changeRow(batch.id, key, Object.fromEntries(changed))
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
        {(document?.parameters ?? []).map(({ name }) => (
          <TextInput
            key={name}
            label={name}
            readOnly={!canChange}
            placeholder={textOf(batch.defaults[name]) || 'Default'}
            value={typed[name] ?? textOf(parameters[name])}
            onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
            error={issues.find(({ path }) => path === `parameters.${name}`)?.message}
          />
        ))}
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

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Reads a text as a CSV file does: an empty text passes no value. */
function valueOfText(text: string, declared: readonly Parameter[], name: string): unknown {
  if (text === '') return null
  const parameter = declared.find((declaration) => declaration.name === name)
  return parameter?.type === 'number' && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
