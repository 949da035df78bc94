import '@mantine/dropzone/styles.css'
import { Button, Center, Group, Modal, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ImageUp } from 'lucide-react'
import { useState } from 'react'
import { imageFileTypes, imagesQuery } from '../../api/images.ts'
import type { ImageItem } from '../../api/types.ts'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { UploadLine } from './fields/image-control.tsx'
import classes from './image-picker.module.css'
import { imageFileOf, useUpload } from './uploads.ts'

/** Chooses a stored image, an upload or a URL. */
export function ImagePicker({ onPick, onClose }: { onPick(source: string): void; onClose(): void }) {
  useReturnFocus()
  const { upload, start } = useUpload((image) => onPick(image.id))
  const isPhone = useMediaQuery('(max-width: 36em)')
  return (
    <Modal opened onClose={onClose} title="Choose an image" size="lg" centered fullScreen={isPhone === true}>
      <Stack
        gap="md"
        onPaste={(event) => {
          const file = imageFileOf(event.clipboardData)
          if (file !== undefined) void start(file)
        }}
      >
        <Dropzone
          multiple={false}
          // The standard file input offers the camera on phones.
          useFsAccessApi={false}
          accept={imageFileTypes}
          loading={upload !== undefined && upload.problem === undefined}
          onDrop={([file]) => {
            if (file !== undefined) void start(file as File)
          }}
          // The button has the focus, and its click opens the file dialog.
          activateOnKeyboard={false}
          enablePointerEvents
        >
          <Group justify="center" gap="sm" py="xs">
            <Text size="sm">Drop or paste an image here, or</Text>
            <Button size="xs" variant="default" leftSection={<ImageUp size={14} aria-hidden />}>
              Choose a file
            </Button>
          </Group>
        </Dropzone>
        <UploadLine upload={upload} />
        <AddressEntry onPick={onPick} />
        <StoredImages onPick={onPick} />
      </Stack>
    </Modal>
  )
}

function AddressEntry({ onPick }: { onPick(source: string): void }) {
  const [address, setAddress] = useState('')
  const isUrl = /^https?:\/\/./.test(address)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isUrl) onPick(address)
      }}
    >
      <Group gap="xs" align="end" wrap="nowrap">
        <TextInput
          flex={1}
          label="Or the URL of an image"
          type="url"
          placeholder="https://"
          value={address}
          onChange={({ currentTarget }) => setAddress(currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={!isUrl}>
          Use it
        </Button>
      </Group>
    </form>
  )
}

function StoredImages({ onPick }: { onPick(source: string): void }) {
  const { data, isPending, isError, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(imagesQuery())
  const images = data?.pages.flatMap((page) => page.images) ?? []
  if (isError) return <Text c="var(--mantine-color-error)">The images couldn’t be loaded.</Text>
  if (!isPending && images.length === 0)
    return (
      <Center py="lg">
        <Text c="dimmed" size="sm">
          No images yet. Drop an image above to start.
        </Text>
      </Center>
    )
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500} id="stored-images">
        In storage
      </Text>
      <SimpleGrid cols={{ base: 3, xs: 4, sm: 5 }} spacing="xs" aria-labelledby="stored-images">
        {isPending
          ? Array.from({ length: 10 }, (_, i) => i).map((i) => <Skeleton key={i} className={classes.cell ?? ''} />)
          : images.map((image) => <StoredImage key={image.id} image={image} onPick={onPick} />)}
      </SimpleGrid>
      {hasNextPage && (
        <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older images
        </Button>
      )}
    </Stack>
  )
}

function StoredImage({ image, onPick }: { image: ImageItem; onPick(source: string): void }) {
  return (
    <button type="button" className={classes.stored} title={image.name} onClick={() => onPick(image.id)}>
      <span className={`${classes.cell} tt-checker`}>
        <Thumbnail url={image.url} thumbnailUrl={image.thumbnailUrl} alt="" />
      </span>
      <span className={classes.storedName}>{image.name}</span>
    </button>
  )
}
