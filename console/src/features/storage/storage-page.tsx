import '@mantine/dropzone/styles.css'
import { Button, Center, Group, Skeleton, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { FolderInput, ImageUp, Trash, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { imageFileTypes, imagesQuery } from '../../api/images.ts'
import type { ImageItem } from '../../api/types.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { byteSize } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { CardMenu } from './card-menu.tsx'
import { ImageDrawer } from './image-drawer.tsx'
import { ImageFilters } from './image-filters.tsx'
import { ImageGrid } from './image-grid.tsx'
import { ImageName } from './image-name.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { ProjectPicker } from './project-picker.tsx'
import { type StorageSearch, storageSearch } from './search.ts'
import { ShowMore } from './show-more.tsx'
import { UploadList } from './upload-list.tsx'
import { useImageSelection } from './use-image-selection.tsx'
import { useUploads } from './use-uploads.ts'

const route = getRouteApi('/shell/storage')

/** All images of the account: upload, open, select and delete them. */
export function StoragePage() {
  const { image, ...filters } = route.useSearch()
  const { project, ...others } = filters
  const navigate = useNavigate()
  const listed = useInfiniteQuery(imagesQuery({ ...others, ...(project === undefined ? {} : { projectId: project }) }))
  const uploads = useUploads(project)
  const loaded = listed.data?.pages.flatMap((page) => page.images) ?? []
  const { images, selected, select, clear, remove, dialog } = useImageSelection(loaded)
  const [renamed, setRenamed] = useState<string>()
  const [moved, setMoved] = useState<readonly ImageItem[]>()
  const go = (search: StorageSearch) => void navigate({ to: '/storage', search })
  const closeImage = () => go(filters)
  return (
    <Page
      title="Storage"
      docs="console"
      actions={
        <Group gap="sm">
          {selected.size > 0 && (
            <Button
              variant="light"
              leftSection={<FolderInput size={16} />}
              onClick={() => setMoved(images.filter(({ id }) => selected.has(id)))}
            >
              Move {selected.size}
            </Button>
          )}
          {selected.size > 0 && (
            <Button
              variant="light"
              color="red"
              leftSection={<Trash2 size={16} />}
              onClick={() => remove([...selected])}
            >
              Delete {selected.size}
            </Button>
          )}
          <ProjectPicker projectId={project} onChange={(id) => go(storageSearch({ ...filters, project: id }))} />
          <Button
            variant="default"
            leftSection={<Trash size={16} />}
            renderRoot={(props) => <Link {...props} to="/storage/bin" />}
          >
            Bin
          </Button>
          <FileButton multiple accept={Object.entries(imageFileTypes).flat(2).join()} onChange={uploads.add}>
            {(props) => (
              <Button leftSection={<ImageUp size={16} />} {...props}>
                Upload
              </Button>
            )}
          </FileButton>
        </Group>
      }
    >
      <DropArea onDrop={uploads.add} />
      <UploadList queue={uploads} />
      <ImageFilters filters={others} onChange={(change) => go(storageSearch({ ...filters, ...change }))} />
      <ErrorText error={listed.error} />
      {listed.isPending && <Skeletons />}
      {listed.isSuccess && images.length === 0 && (
        <NoImages isFiltered={others.source !== undefined || others.search !== undefined} />
      )}
      <ImageGrid
        images={images}
        picture={({ url, thumbnailUrl }) => (
          <Thumbnail url={url} thumbnailUrl={thumbnailUrl} alt="" className="tt-checker" />
        )}
        caption={(each) => (
          <Caption
            image={each}
            isRenamed={renamed === each.id}
            onRename={setRenamed}
            onMove={() => setMoved([each])}
            onDelete={() => remove([each.id])}
          />
        )}
        selected={selected}
        onSelect={select}
        onOpen={(id) => go({ ...filters, image: id })}
        onRename={setRenamed}
      />
      <ShowMore list={listed} />
      {dialog}
      {moved !== undefined && (
        <MoveDialog
          images={moved}
          onClose={() => setMoved(undefined)}
          onMoved={() => {
            setMoved(undefined)
            clear()
          }}
        />
      )}
      {image !== undefined && (
        <ImageDrawer
          imageId={image}
          onClose={closeImage}
          onDelete={() => {
            closeImage()
            remove([image])
          }}
        />
      )}
    </Page>
  )
}

interface CaptionProps {
  image: ImageItem
  isRenamed: boolean
  onRename(id: string | undefined): void
  onMove(): void
  onDelete(): void
}

function Caption({ image, isRenamed, onRename, onMove, onDelete }: CaptionProps) {
  if (isRenamed) return <ImageName image={image} onEnd={() => onRename(undefined)} />
  return (
    <Group gap={4} wrap="nowrap" justify="space-between">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" truncate title={image.name} onDoubleClick={() => onRename(image.id)}>
          {image.name}
        </Text>
        <Text size="xs" c="dimmed">
          {byteSize(image.size)} · <RelativeTime at={image.createdAt} span />
        </Text>
      </div>
      <CardMenu image={image} onRename={() => onRename(image.id)} onMove={onMove} onDelete={onDelete} />
    </Group>
  )
}

function DropArea({ onDrop }: { onDrop(files: readonly File[]): void }) {
  return (
    // Without `accept`: the service names formats that it can't read, and browsers don't know the type of each file.
    <Dropzone.FullScreen onDrop={(files) => onDrop(files as File[])}>
      <Center h="80vh">
        <Stack align="center" gap="xs">
          <ImageUp size={44} aria-hidden />
          <Text size="lg" fw={550}>
            Drop images to upload them
          </Text>
        </Stack>
      </Center>
    </Dropzone.FullScreen>
  )
}

function NoImages({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Center mih="40vh">
      <Stack align="center" gap={4}>
        <Text fw={550}>{isFiltered ? 'No images found' : 'No images here'}</Text>
        <Text size="sm" c="dimmed" ta="center">
          {isFiltered
            ? 'Change the name or the source.'
            : 'Drop images anywhere on this page. Outputs of workflows appear here, too.'}
        </Text>
      </Stack>
    </Center>
  )
}

function Skeletons() {
  return (
    <Group gap="md">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} w={168} h={168} />
      ))}
    </Group>
  )
}
