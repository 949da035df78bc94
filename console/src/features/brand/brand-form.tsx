import { Alert, Button, Group, Modal, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type Brand, brandQuery, saveBrand } from '../../api/brand.ts'
import { ApiError, issuesOf } from '../../api/client.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import classes from './brand.module.css'
import { FileActions } from './file-actions.tsx'
import { Inherited } from './inherited.tsx'
import {
  issueOf,
  type Kind,
  kinds,
  nameProblem,
  newRow,
  otherIssues,
  type Row,
  toRow,
  toRows,
  toValues,
} from './rows.ts'
import { ValueRow } from './value-row.tsx'

/** The values of an account or project, as a form. `projectId`: undefined for the account. */
export function BrandForm({ brand, projectId }: { brand: Brand; projectId: string | undefined }) {
  const queryClient = useQueryClient()
  const [saved, setSaved] = useState(brand)
  const [rows, setRows] = useState<readonly Row[]>(() => toRows(brand.values))
  const [added, setAdded] = useState<number>()
  const list = useRef<HTMLDivElement>(null)
  const isChanged = !hasValues(rows, saved.values) || hasDoubleName(rows)
  const show = (next: Brand) => {
    setSaved(next)
    setRows(toRows(next.values))
  }
  const saving = useMutation({
    mutationFn: ({ etag, rows }: { etag: string | undefined; rows: readonly Row[] }) =>
      saveBrand(projectId, toValues(rows), etag),
    onSuccess(next, { rows: sent }) {
      setSaved(next)
      // Text that was typed during the save stays, and so does the focus if the service changed nothing.
      setRows((now) => (now === sent && !hasValues(now, next.values) ? toRows(next.values) : now))
      queryClient.setQueryData(brandQuery(projectId).queryKey, next)
      // Those of projects contain the values of the account.
      void queryClient.invalidateQueries({ queryKey: ['brand'] })
      notifications.show({ message: 'The brand values were saved. New executions use them.' })
    },
  })
  useEffect(() => {
    if (saving.error) focusInvalid(list.current)
  }, [saving.error])
  const reloading = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...brandQuery(projectId), staleTime: 0 }),
    onSuccess(next) {
      show(next)
      saving.reset()
    },
  })
  const issues = issuesOf(saving.error)
  const isOutdated = saving.error instanceof ApiError && saving.error.code === 'precondition_failed'
  const save = (etag: string | undefined) => {
    if (rows.some((row) => nameProblem(row, rows) !== undefined)) focusInvalid(list.current)
    else saving.mutate({ etag, rows })
  }
  useCommands([
    {
      id: 'brand.save',
      title: 'Save brand values',
      group: 'Brand',
      shortcuts: ['mod+S'],
      reach: 'fields',
      isEnabled: () => isChanged,
      run: () => save(saved.etag),
    },
  ])
  const change = (key: number, fields: Partial<Row>) =>
    setRows((before) => before.map((row) => (row.key === key ? { ...row, ...fields } : row)))
  const add = (row: Row) => {
    setRows((before) => [...before, row])
    setAdded(row.key)
  }
  const remove = ({ key, type }: Row) => {
    setRows((before) => before.filter((row) => row.key !== key))
    document.getElementById(addButtonId(type))?.focus()
  }
  return (
    <Stack gap="xl" ref={list}>
      <Group justify="space-between" gap="sm">
        <FileActions values={saved.values} onRead={setRows} />
        <Group gap="sm">
          <Button variant="default" disabled={!isChanged || saving.isPending} onClick={() => show(saved)}>
            Discard changes
          </Button>
          <Button disabled={!isChanged} loading={saving.isPending} onClick={() => save(saved.etag)}>
            Save
          </Button>
        </Group>
      </Group>
      {isOutdated && (
        <Alert color="yellow" title="The brand values were saved in the meantime" role="alert">
          <Text size="sm" mb="sm">
            Load the saved values and lose your changes, or replace the saved values by yours.
          </Text>
          <Group gap="sm">
            <Button size="xs" variant="default" loading={reloading.isPending} onClick={() => reloading.mutate()}>
              Load the saved values
            </Button>
            <Button size="xs" color="red" variant="light" onClick={() => save(undefined)}>
              Replace them
            </Button>
          </Group>
        </Alert>
      )}
      {saving.error && !isOutdated && <Problems rows={rows} error={saving.error} />}
      {(Object.keys(kinds) as Kind[]).map((kind) => (
        <section key={kind} aria-label={kinds[kind].title}>
          <Group justify="space-between" mb="sm">
            <Title order={2} size="h4">
              {kinds[kind].title}
            </Title>
            <Button
              id={addButtonId(kind)}
              size="xs"
              variant="default"
              leftSection={<Plus size={14} aria-hidden />}
              onClick={() => add(newRow(kind, rows))}
            >
              {kinds[kind].add}
            </Button>
          </Group>
          {rows.some(({ type }) => type === kind) ? (
            <ul className={classes.rows}>
              {rows
                .filter(({ type }) => type === kind)
                .map((row) => (
                  <ValueRow
                    key={row.key}
                    row={row}
                    isNew={row.key === added}
                    nameProblem={nameProblem(row, rows)}
                    valueProblem={issueOf(row, 'value', issues)}
                    descriptionProblem={issueOf(row, 'description', issues)}
                    onChange={(fields) => change(row.key, fields)}
                    onRemove={() => remove(row)}
                  />
                ))}
            </ul>
          ) : (
            <Text size="sm" c="dimmed">
              None yet.
            </Text>
          )}
        </section>
      ))}
      <Inherited values={saved.inherited} rows={rows} onReplace={(name, value) => add(toRow(name, value))} />
      <LeaveDialog isChanged={isChanged} />
    </Stack>
  )
}

function addButtonId(kind: Kind): string {
  return `add-${kind}`
}

function Problems({ rows, error }: { rows: readonly Row[]; error: Error }) {
  const issues = issuesOf(error)
  const others = otherIssues(rows, issues)
  if (issues.length > 0 && others.length === 0) return null
  return (
    <Text c="red" role="alert">
      {others.length > 0 ? others.map(({ path, message }) => `${path} ${message}`).join(' ') : error.message}
    </Text>
  )
}

function hasValues(rows: readonly Row[], values: Brand['values']): boolean {
  return JSON.stringify(toValues(rows)) === JSON.stringify(values)
}

/** Two rows with one name are one value. */
function hasDoubleName(rows: readonly Row[]): boolean {
  return new Set(rows.map(({ name }) => name)).size < rows.length
}

function focusInvalid(list: HTMLElement | null): void {
  list?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
}

/** Asks before unsaved changes are lost. */
function LeaveDialog({ isChanged }: { isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Discard your changes?">
      <Text size="sm" mb="lg">
        The brand values have changes that aren’t saved.
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" data-autofocus onClick={() => reset?.()}>
          Stay here
        </Button>
        <Button color="red" onClick={() => proceed?.()}>
          Discard
        </Button>
      </Group>
    </Modal>
  )
}
