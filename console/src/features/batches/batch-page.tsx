import { Alert, Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Pause, Play, RotateCcw, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  type Batch,
  type BatchItem,
  type BatchItemStatus,
  batchQuery,
  cancelBatch,
  deleteBatch,
  estimateQuery,
  isOver,
  pauseBatch,
  resumeBatch,
  retryRows,
  startBatch,
} from '../../api/batches.ts'
import { useWorkflowNames } from '../../api/workflow-names.ts'
import { documentQuery } from '../../api/workflows.ts'
import { LoadFailed } from '../../ui/empty-state.tsx'
import { counted, dollars, duration } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { showError } from '../../ui/show-error.ts'
import { TypedNumberInput } from '../../ui/typed-number-input.tsx'
import { BatchProgress, BatchStatus } from './batch-status.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { ItemDrawer } from './item-drawer.tsx'
import { ItemGrid } from './item-grid.tsx'

const route = getRouteApi('/shell/batches/$batchId')
const pollMs = 1_000

/** A batch: its cost before the start, its progress, and its rows. */
export function BatchPage() {
  const { batchId } = route.useParams()
  const {
    data: batch,
    error,
    refetch,
  } = useQuery({
    ...batchQuery(batchId),
    refetchInterval: ({ state }) => (state.data !== undefined && isOver(state.data) ? false : pollMs),
  })
  if (batch !== undefined) return <LoadedBatch batch={batch} />
  return (
    <Page title="Batch" docs="process-many-images">
      {error ? (
        <LoadFailed error={error} onRetry={() => void refetch()} title="The batch couldn’t be loaded" />
      ) : (
        <Skeleton height={200} />
      )}
    </Page>
  )
}

function LoadedBatch({ batch }: { batch: Batch }) {
  const [status, setStatus] = useState<BatchItemStatus>()
  const [opened, setOpened] = useState<BatchItem>()
  const { counts, workflowId, workflowVersion } = batch
  const { data: document } = useQuery(documentQuery(workflowId, workflowVersion))
  const workflowName = useWorkflowNames([workflowId]).get(workflowId) ?? workflowId
  const filters: { value: string; label: string; count: number }[] = [
    { value: 'all', label: 'All', count: counts.total },
    { value: 'completed', label: 'Completed', count: counts.completed },
    { value: 'failed', label: 'Failed', count: counts.failed },
    { value: 'pending', label: 'Waiting', count: counts.pending },
  ]
  const total = status === undefined ? counts.total : counts[status]
  return (
    <Page title={batch.name} docs="process-many-images" actions={<Actions batch={batch} />}>
      <Group gap="sm" mt={-8} mb="lg">
        <Button
          component={Link}
          to="/workflows/$workflowId/run"
          params={{ workflowId } as never}
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<ArrowLeft size={14} aria-hidden />}
        >
          {workflowName}
        </Button>
        <Text size="sm" c="dimmed">
          Version {workflowVersion}
        </Text>
      </Group>
      <Stack>
        <Group gap="sm">
          <BatchStatus batch={batch} />
          <Text size="sm" c="dimmed" role="status">
            {progressText(batch)}
          </Text>
          {batch.expectedCompletionAt !== undefined && (
            <Text size="sm" c="dimmed">
              ends <RelativeTime at={batch.expectedCompletionAt} span />
            </Text>
          )}
        </Group>
        <BatchProgress batch={batch} />
        {batch.status === 'created' && <Start batch={batch} />}
        {batch.pauseReason === 'budget' && <Budget batch={batch} />}
        {batch.pauseReason === 'storage' && (
          <Alert color="yellow">The account stores its maximum. Delete images, then resume the batch.</Alert>
        )}
        {batch.pauseReason === 'quota' && (
          <Alert color="yellow">
            The account has reached a quota: see <Link to="/usage">Usage</Link>. Delete images, or wait for the next
            month, then resume the batch.
          </Alert>
        )}
        <SegmentedControl
          aria-label="Rows to show"
          value={status ?? 'all'}
          onChange={(value) => setStatus(value === 'all' ? undefined : (value as BatchItemStatus))}
          data={filters.map(({ value, label, count }) => ({ value, label: `${label} ${count}` }))}
        />
        {total === 0 ? (
          <Text c="dimmed">No rows.</Text>
        ) : (
          <ItemGrid
            key={status}
            batchId={batch.id}
            status={status}
            total={total}
            pollMs={isOver(batch) || batch.status === 'created' ? false : 2 * pollMs}
            parameters={document?.parameters ?? []}
            onOpen={setOpened}
          />
        )}
      </Stack>
      {opened && <ItemDrawer batch={batch} item={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  )
}

function progressText({ counts: { total, completed, failed, cancelled }, cost }: Batch): string {
  const parts = [
    `${completed} of ${counted(total, 'row')} completed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    ...(cost === undefined ? [] : [dollars(cost.usd)]),
  ]
  return parts.join(' · ')
}

function useChange<Result>(mutationFn: () => Promise<Result>, onSuccess?: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => onSuccess?.(),
    onError: (error) => showError('Something went wrong', error),
    // A request is also rejected if another one changed the batch meanwhile.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['batches'] }),
  })
}

function Start({ batch }: { batch: Batch }) {
  const { data: estimate, error } = useQuery({ ...estimateQuery(batch.id), enabled: batch.counts.total > 0 })
  const [maxUsd, setMaxUsd] = useState<number>()
  const starting = useChange(() => startBatch(batch.id, maxUsd))
  const cost = estimate?.cost
  return (
    <Alert color="gray" title={`${counted(batch.counts.total, 'row')}, not started yet`}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {error ? error.message : estimate === undefined ? 'Estimating the cost…' : estimateText(estimate)}
        </Text>
        {cost !== undefined && cost?.maxUsd !== 0 && (
          <TypedNumberInput
            label="Budget in US dollars"
            description="The batch is paused before a call that could exceed it."
            min={0}
            value={maxUsd}
            onChange={setMaxUsd}
          />
        )}
        <Button leftSection={<Play size={16} />} loading={starting.isPending} onClick={() => starting.mutate()}>
          Start
        </Button>
      </Stack>
    </Alert>
  )
}

function estimateText({
  cost,
  expectedDuration,
}: {
  cost: { minUsd: number; maxUsd: number } | null
  expectedDuration: number | null
}): string {
  const price =
    cost === null
      ? 'The cost of the AI models is unknown.'
      : cost.maxUsd === 0
        ? 'No AI model is called, so it costs nothing.'
        : `AI models cost ${dollars(cost.minUsd)} to ${dollars(cost.maxUsd)}, estimated.`
  return expectedDuration === null ? price : `${price} It takes about ${duration(expectedDuration)}.`
}

function Budget({ batch }: { batch: Batch }) {
  const [maxUsd, setMaxUsd] = useState(batch.maxUsd)
  const resuming = useChange(() => resumeBatch(batch.id, maxUsd))
  return (
    <Alert color="yellow" title="The budget of the batch is used up">
      <Group align="flex-end">
        <TypedNumberInput label="New budget in US dollars" min={0} value={maxUsd} onChange={setMaxUsd} />
        <Button loading={resuming.isPending} onClick={() => resuming.mutate()}>
          Resume
        </Button>
      </Group>
    </Alert>
  )
}

function Actions({ batch }: { batch: Batch }) {
  const navigate = useNavigate()
  const { id, status, counts, pauseReason } = batch
  const pausing = useChange(() => pauseBatch(id))
  const resuming = useChange(() => resumeBatch(id))
  const cancelling = useChange(() => cancelBatch(id))
  const retrying = useChange(() => retryRows(id))
  const deleting = useChange(
    () => deleteBatch(id),
    () => void navigate({ to: '/batches' }),
  )
  const canRetry = status !== 'created' && status !== 'cancelled' && counts.failed + counts.cancelled > 0
  const isOpen = status === 'running' || status === 'paused'
  return (
    <Group gap="sm">
      {status === 'running' && (
        <Button variant="default" leftSection={<Pause size={16} />} onClick={() => pausing.mutate()}>
          Pause
        </Button>
      )}
      {status === 'paused' && pauseReason !== 'budget' && (
        <Button leftSection={<Play size={16} />} onClick={() => resuming.mutate()}>
          Resume
        </Button>
      )}
      {isOpen && (
        <Button variant="default" leftSection={<Square size={16} />} onClick={() => cancelling.mutate()}>
          Cancel
        </Button>
      )}
      {canRetry && (
        <Button variant="default" leftSection={<RotateCcw size={16} />} onClick={() => retrying.mutate()}>
          Retry failed
        </Button>
      )}
      {status !== 'created' && <DownloadMenu batch={batch} />}
      {!isOpen && (
        <Button variant="subtle" color="red" leftSection={<Trash2 size={16} />} onClick={() => deleting.mutate()}>
          Delete
        </Button>
      )}
    </Group>
  )
}
