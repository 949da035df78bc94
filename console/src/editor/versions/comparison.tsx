import { Alert, Badge, Button, Group, Select, Skeleton, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { RotateCcw } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import type { VersionItem } from '../../api/types.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { diffDocuments } from '../document/diff.ts'
import { useEditor, usePublishedWorkflow } from '../state/editor-context.ts'
import { ChangeList } from './change-list.tsx'
import { OutputComparison } from './output-comparison.tsx'
import type { Side } from './search.ts'
import { type Sides, sideName, useSide } from './side.ts'
import { summaryOf } from './summary.ts'

const DiffGraph = lazyPart(() => import('./diff-graph.tsx'), 'DiffGraph')

interface Props {
  sides: Sides
  versions: readonly VersionItem[]
}

/** The differences of two documents of the workflow. */
export function Comparison({ sides: { from, to }, versions }: Props) {
  const { workflowId, catalogue } = useEditor()
  const workflow = usePublishedWorkflow()
  const navigate = useNavigate()
  const [before, after] = [useSide(workflowId, from), useSide(workflowId, to)]
  const diff = useMemo(
    () => (before === undefined || after === undefined ? undefined : diffDocuments(before, after)),
    [before, after],
  )
  const choose = (side: string | null) =>
    void navigate({
      to: '/workflows/$workflowId/versions',
      params: { workflowId },
      search: { to, ...(side === null ? {} : { from: side === 'draft' ? side : Number(side) }) },
    })
  const others = [...new Set<Side>(['draft', ...versions.map(({ version }) => version), ...(from ? [from] : [])])]
  return (
    <>
      <Group justify="space-between" gap="sm" mb="sm">
        <Group gap="xs">
          <Text fw={620}>{sideName(to).replace(/^./, (letter) => letter.toUpperCase())}</Text>
          {others.some((side) => side !== to) && (
            <>
              <Text size="sm" c="dimmed">
                compared with
              </Text>
              <Select
                size="xs"
                w={140}
                aria-label="Compared with"
                placeholder="nothing"
                allowDeselect={false}
                data={others
                  .filter((side) => side !== to)
                  .map((side) => ({ value: String(side), label: sideName(side) }))}
                value={from === undefined ? null : String(from)}
                onChange={choose}
              />
            </>
          )}
        </Group>
        {typeof to === 'number' && <RestoreButton version={to} />}
      </Group>
      {from === undefined ? (
        <Alert color="gray">
          {to === 'draft'
            ? 'Not published yet. After you publish, each version and its changes are listed here.'
            : 'This is the first version.'}
        </Alert>
      ) : diff === undefined || after === undefined ? (
        <Skeleton height={320} radius="md" />
      ) : (
        <>
          <Group gap={6} mb="sm">
            {diff.isSame ? (
              <Badge variant="light" color="gray" tt="none">
                no change of the image
              </Badge>
            ) : null}
            {summaryOf(diff).map((part) => (
              <Badge key={part} variant="default" tt="none" fw={500}>
                {part}
              </Badge>
            ))}
          </Group>
          {catalogue.size > 0 && (
            <Suspense fallback={<Skeleton height={320} radius="md" />}>
              <DiffGraph key={`${from} ${to}`} diff={diff} after={after} catalogue={catalogue} />
            </Suspense>
          )}
          <ChangeList diff={diff} />
          <h2>Images</h2>
          <OutputComparison key={`${from} ${to}`} from={from} to={to} after={after} newest={workflow?.version} />
        </>
      )}
    </>
  )
}

/** Loads an old version into the draft, as one change that can be undone. */
function RestoreButton({ version }: { version: number }) {
  const { workflowId, document: store } = useEditor()
  const workflow = usePublishedWorkflow()
  const navigate = useNavigate()
  const document = useSide(workflowId, version)
  const restore = () => {
    if (document === undefined) return
    store.getState().replace(`Restore version ${version}`, document)
    notifications.show({
      title: `Restored version ${version} into the draft`,
      message: 'Publish the draft to use it for API calls. Undo in the editor restores the previous draft.',
    })
    void navigate({ to: '/workflows/$workflowId/versions', params: { workflowId }, search: { to: 'draft' } })
  }
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<RotateCcw size={14} aria-hidden />}
      disabled={document === undefined}
      onClick={restore}
      title="Loads this version into the draft, as one change that you can undo. Nothing is published."
    >
      {version === workflow?.version ? 'Restore this version' : 'Restore into the draft'}
    </Button>
  )
}
