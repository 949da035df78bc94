import { Anchor, Button, Group, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  type BinnedImage,
  binQuery,
  binThumbnailPath,
  emptyBin,
  refreshImages,
  restoreImages,
} from '../../api/images.ts'
import { ConfirmModal } from '../../ui/confirm-modal.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { byteSize, counted } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { ImageGrid } from './image-grid.tsx'
import { ShowMore } from './show-more.tsx'
import { useSelection } from './use-selection.ts'

/** Deleted images: restore them, or delete them for good. */
export function BinPage() {
  const queryClient = useQueryClient()
  const listed = useInfiniteQuery(binQuery)
  const images = listed.data?.pages.flatMap((page) => page.images) ?? []
  const total = listed.data?.pages[0]?.total ?? 0
  const { selected, select, clear } = useSelection(images)
  const [isAsked, setAsked] = useState(false)
  const done = async () => {
    clear()
    setAsked(false)
    await refreshImages(queryClient)
  }
  const restoring = useMutation({ mutationFn: () => restoreImages([...selected]), onSettled: done })
  const hasSelection = selected.size > 0
  const deleting = useMutation({
    mutationFn: () => emptyBin(hasSelection ? [...selected] : undefined),
    onSuccess: done,
    onError: () => void refreshImages(queryClient),
  })
  return (
    <Page
      title="Bin"
      docs="console"
      actions={
        <Group gap="sm">
          {hasSelection && (
            <Button
              leftSection={<ArchiveRestore size={16} />}
              loading={restoring.isPending}
              onClick={() => restoring.mutate()}
            >
              Restore {selected.size}
            </Button>
          )}
          <Button
            variant="light"
            color="red"
            leftSection={<Trash2 size={16} />}
            disabled={total === 0}
            onClick={() => setAsked(true)}
          >
            {hasSelection ? `Delete ${selected.size} now` : 'Empty bin'}
          </Button>
        </Group>
      }
    >
      <Text size="sm" c="dimmed" mb="md">
        Images stay here for 30 days after you delete them, and count as storage until then.{' '}
        <Anchor inherit renderRoot={(props) => <Link {...props} to="/storage" />}>
          Back to Storage
        </Anchor>
      </Text>
      <ErrorText error={listed.error ?? restoring.error} />
      {listed.isSuccess && total === 0 && <EmptyState title="The bin is empty">Deleted images appear here.</EmptyState>}
      <ImageGrid
        images={images}
        picture={({ id }) => <img src={binThumbnailPath(id)} alt="" loading="lazy" className="tt-checker" />}
        caption={(image) => <Caption image={image} />}
        selected={selected}
        onSelect={select}
      />
      <ShowMore list={listed} />
      {isAsked && (
        <ConfirmModal
          title={hasSelection ? `Delete ${counted(selected.size, 'image')} for good?` : 'Empty the bin?'}
          action={hasSelection ? 'Delete now' : 'Empty bin'}
          confirming={deleting}
          onClose={() => setAsked(false)}
        >
          {counted(hasSelection ? selected.size : total, 'image')} can’t be restored afterwards.
        </ConfirmModal>
      )}
    </Page>
  )
}

function Caption({ image: { name, size, removedAt } }: { image: BinnedImage }) {
  const days = Math.max(0, Math.ceil((Date.parse(removedAt) - Date.now()) / 86_400_000))
  return (
    <>
      <Text size="sm" truncate title={name}>
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {byteSize(size)} · {days === 0 ? 'removed today' : `${counted(days, 'day')} left`}
      </Text>
    </>
  )
}
