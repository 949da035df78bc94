import '@mantine/dropzone/styles.css'
import { Button, Center, FileButton, Group, Skeleton, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ImageUp, Trash2 } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { imagesQuery } from '../../api/images.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import { keepFocus } from '../../ui/focus-on-page.ts'
import { counted } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { ImageDrawer } from './image-drawer.tsx'
import { ImageGrid } from './image-grid.tsx'
import { ProjectPicker } from './project-picker.tsx'
import { UploadList } from './upload-list.tsx'
import { useStorage } from './use-storage.ts'

const route = getRouteApi('/shell/storage')
const none: ReadonlySet<string> = new Set()

/** Every image of the account: put there by drop, looked at, deleted and taken back. */
export function StoragePage() {
  const { project, image } = route.useSearch()
  const navigate = useNavigate()
  const go = (search: { project?: string; image?: string }) => void navigate({ to: '/storage', search })
  const listed = useInfiniteQuery(imagesQuery(project))
  const { uploads, deletions } = useStorage(project)
  const pending = useSyncExternalStore(deletions.subscribe, deletions.pending)
  const [selected, setSelected] = useState(none)
  const [deleted, setDeleted] = useState<readonly string[]>([])
  const images = (listed.data?.pages ?? []).flatMap((page) => page.images).filter(({ id }) => !pending.has(id))
  const inProject = project === undefined ? {} : { project }

  const select = (id: string, isSelected: boolean) =>
    setSelected(new Set(isSelected ? [...selected, id] : [...selected].filter((each) => each !== id)))
  const remove = (ids: readonly string[]) => {
    if (ids.length === 0) return
    deletions.mark(ids)
    setSelected(none)
    setDeleted(ids)
    if (image !== undefined) go(inProject)
    keepFocus()
    const notice = notifications.show({
      autoClose: 7_500,
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{counted(ids.length, 'image')} deleted</Text>
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => {
              deletions.takeBack(ids)
              notifications.hide(notice)
            }}
          >
            Undo
          </Button>
        </Group>
      ),
    })
  }
  const group = 'Storage'
  useCommands([
    {
      id: 'storage.selectAll',
      title: 'Select all images',
      group,
      shortcuts: ['mod+A'],
      run: () => setSelected(new Set(images.map(({ id }) => id))),
    },
    {
      id: 'storage.selectNone',
      title: 'Select none',
      group,
      shortcuts: ['Escape'],
      isEnabled: () => selected.size > 0,
      run: () => setSelected(none),
    },
    {
      id: 'storage.delete',
      title: 'Delete the selected images',
      group,
      shortcuts: ['Delete', 'Backspace'],
      isEnabled: () => selected.size > 0,
      run: () => remove([...selected]),
    },
    {
      id: 'storage.undo',
      title: 'Take the deletion back',
      group,
      shortcuts: ['mod+Z'],
      isEnabled: () => deleted.some((id) => pending.has(id)),
      run: () => deletions.takeBack(deleted),
    },
  ])

  return (
    <Page
      title="Storage"
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
          <ProjectPicker projectId={project} onChange={(id) => go(id === undefined ? {} : { project: id })} />
          <FileButton multiple accept="image/*" onChange={uploads.add}>
            {(props) => (
              <Button leftSection={<ImageUp size={16} />} {...props}>
                Upload
              </Button>
            )}
          </FileButton>
        </Group>
      }
    >
      <Dropzone.FullScreen accept={['image/*']} onDrop={(files) => uploads.add(files as File[])}>
        <Center h="80vh">
          <Stack align="center" gap="xs">
            <ImageUp size={44} aria-hidden />
            <Text size="lg" fw={550}>
              Drop images to upload them
            </Text>
          </Stack>
        </Center>
      </Dropzone.FullScreen>
      <UploadList queue={uploads} />
      {listed.error && (
        <Text c="red" role="alert">
          {listed.error.message}
        </Text>
      )}
      {listed.isPending && <Skeletons />}
      {listed.isSuccess && images.length === 0 && (
        <Center mih="40vh">
          <Stack align="center" gap={4}>
            <Text fw={550}>No images here</Text>
            <Text size="sm" c="dimmed" ta="center">
              Drop some anywhere on this page. What workflows make comes here, too.
            </Text>
          </Stack>
        </Center>
      )}
      <ImageGrid
        images={images}
        selected={selected}
        onSelect={select}
        onOpen={(id) => go({ ...inProject, image: id })}
      />
      {listed.hasNextPage && (
        <Center mt="lg">
          <Button variant="default" loading={listed.isFetchingNextPage} onClick={() => void listed.fetchNextPage()}>
            Show more
          </Button>
        </Center>
      )}
      {image !== undefined && (
        <ImageDrawer imageId={image} onClose={() => go(inProject)} onDelete={() => remove([image])} />
      )}
    </Page>
  )
}

function Skeletons() {
  return (
    <Group gap="md">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((each) => (
        <Skeleton key={each} w={168} h={168} />
      ))}
    </Group>
  )
}
