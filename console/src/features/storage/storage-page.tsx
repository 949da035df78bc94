import '@mantine/dropzone/styles.css'
import { Button, Center, Group, Skeleton, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ImageUp, Trash2 } from 'lucide-react'
import { imageFileTypes, imagesQuery } from '../../api/images.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { Page } from '../../ui/page.tsx'
import { ImageDrawer } from './image-drawer.tsx'
import { ImageFilters } from './image-filters.tsx'
import { ImageGrid } from './image-grid.tsx'
import { ProjectPicker } from './project-picker.tsx'
import { type StorageSearch, storageSearch } from './search.ts'
import { UploadList } from './upload-list.tsx'
import { useImageSelection } from './use-image-selection.tsx'
import { useStorage } from './use-storage.ts'

const route = getRouteApi('/shell/storage')

/** All images of the account: upload, open, select and delete them. */
export function StoragePage() {
  const { image, ...filters } = route.useSearch()
  const { project, ...others } = filters
  const navigate = useNavigate()
  const listed = useInfiniteQuery(imagesQuery({ ...others, ...(project === undefined ? {} : { projectId: project }) }))
  const { uploads, deletions } = useStorage(project)
  const loaded = listed.data?.pages.flatMap((page) => page.images) ?? []
  const { images, selected, select, remove, dialog } = useImageSelection(loaded, deletions)
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
              color="red"
              leftSection={<Trash2 size={16} />}
              onClick={() => remove([...selected])}
            >
              Delete {selected.size}
            </Button>
          )}
          <ProjectPicker projectId={project} onChange={(id) => go(storageSearch({ ...filters, project: id }))} />
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
      <ImageGrid images={images} selected={selected} onSelect={select} onOpen={(id) => go({ ...filters, image: id })} />
      {listed.hasNextPage && (
        <Center mt="lg">
          <Button variant="default" loading={listed.isFetchingNextPage} onClick={() => void listed.fetchNextPage()}>
            Show more
          </Button>
        </Center>
      )}
      {dialog}
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
