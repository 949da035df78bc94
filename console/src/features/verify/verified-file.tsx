import { Alert, Skeleton, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { ApiError } from '../../api/client.ts'
import type { Verification } from '../../api/credentials.ts'
import { EmptyState, LoadFailed } from '../../ui/empty-state.tsx'
import { counted } from '../../ui/format.ts'
import { executionLabel } from './assertions.tsx'
import { ComparedExecution } from './compared-execution.tsx'
import { type HistoryImage, historyOf, imagesIn } from './history.ts'
import { HistoryView } from './history-view.tsx'
import { Summary } from './summary.tsx'

/** The verification of a file: its progress, its failure or its result. */
export function VerifiedFile({ query }: { query: UseQueryResult<Verification, Error> }) {
  const { data, error, fetchStatus, failureReason, refetch } = query
  if (data !== undefined) return <Result {...data} />
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (fetchStatus === 'paused')
    return <EmptyState title="You are offline">The file is verified when you are online again.</EmptyState>
  return <Waiting reason={failureReason} />
}

function Waiting({ reason }: { reason: Error | null }) {
  const seconds = reason instanceof ApiError ? reason.retryAfterSeconds : undefined
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed" role="status">
        {reason === null
          ? 'Verifying …'
          : `${reason.message} Trying again${seconds === undefined ? '' : ` in ${seconds} s`} …`}
      </Text>
      <Skeleton height={112} radius="md" />
      <Skeleton height={420} radius="md" />
    </Stack>
  )
}

/** Errors of status 4xx are final: only another file helps, except after too many requests. */
function Failed({ error, onRetry }: { error: Error; onRetry(): void }) {
  const status = error instanceof ApiError ? error.status : 0
  const isFinal = status >= 400 && status < 500 && status !== 401 && status !== 429
  const title = status === 404 ? 'Image not found' : 'The file couldn’t be verified'
  if (isFinal) return <EmptyState title={title}>{error.message}</EmptyState>
  return <LoadFailed title={title} error={error} onRetry={onRetry} />
}

function Result({ file, verified }: Verification) {
  const { credentials } = verified
  const root = useMemo(
    () => (credentials === null ? null : historyOf(credentials, file.name)),
    [credentials, file.name],
  )
  return (
    <Stack gap="md">
      <Summary file={file} verified={verified} root={root} />
      {credentials !== null && Object.hasOwn(credentials.assertions, executionLabel) && (
        <ComparedExecution key={verified.sha256} verification={{ file, verified }} />
      )}
      {root !== null && <InvalidIngredients root={root} />}
      {root !== null && (
        <HistoryView key={verified.sha256} root={root} isShortened={credentials?.isShortened ?? false} />
      )}
    </Stack>
  )
}

/** A changed ingredient doesn't make the file invalid, so it is easy to miss. */
function InvalidIngredients({ root }: { root: HistoryImage }) {
  const invalid = imagesIn(root).filter(({ id, credentials }) => id !== root.id && credentials?.state === 'invalid')
  if (invalid.length === 0) return null
  const names = [...new Set(invalid.map(({ title }) => title))]
  return (
    <Alert color="yellow" icon={<TriangleAlert size={18} aria-hidden />}>
      {counted(invalid.length, 'ingredient has', 'ingredients have')} invalid Content Credentials:{' '}
      {names.slice(0, namesMax).join(', ')}
      {names.length > namesMax ? ` and ${names.length - namesMax} more` : ''}
    </Alert>
  )
}

const namesMax = 5
