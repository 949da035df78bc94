import { Button, Group, Progress, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ImageIcon, Images } from 'lucide-react'
import { Suspense, useState } from 'react'
import { imageQuery, isImageId } from '../../../api/images.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import type { ControlProps } from '../control.ts'
import { sourceName } from '../image-source.ts'
import { imageFileOf, type Upload, useUpload } from '../uploads.ts'
import classes from './image-control.module.css'

const ImagePicker = lazyPart(() => import('../image-picker.tsx'), 'ImagePicker')

/** An image by its id or URL: chosen, dropped, pasted or typed. */
export function ImageControl({ schema, value, onChange, id, describedBy, isInvalid, placeholder }: ControlProps) {
  const source = typeof value === 'string' ? value : ''
  // A default image is shown as if it were chosen.
  const effective = source === '' && typeof schema.default === 'string' ? schema.default : source
  const [isOpen, setIsOpen] = useState(false)
  const [isOver, setIsOver] = useState(false)
  const [isTyping, setTyping] = useState(false)
  // A stored image has a thumbnail and a name.
  const isBoxShown = isTyping || isInvalid || (source !== '' && !isImageId(source))
  const { upload, start } = useUpload((image) => onChange(image.id))
  const handleTransfer = (transfer: DataTransfer, event: { preventDefault(): void }) => {
    const file = imageFileOf(transfer)
    if (file === undefined) return
    event.preventDefault()
    void start(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a drop target; its buttons do the same
    <div
      className={classes.image}
      data-over={isOver || undefined}
      data-wrong={isInvalid || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false)
        handleTransfer(event.dataTransfer, event)
      }}
      onPaste={(event) => handleTransfer(event.clipboardData, event)}
    >
      <div className={classes.head}>
        <button
          type="button"
          id={isBoxShown ? undefined : id}
          className={`${classes.thumb} tt-checker`}
          aria-label="Choose an image"
          aria-describedby={isBoxShown ? undefined : describedBy}
          onClick={() => setIsOpen(true)}
        >
          <SourcePreview source={effective} />
        </button>
        <div className={classes.text}>
          <SourceName source={effective} />
          <Group gap={4}>
            <Button
              variant="default"
              size="xs"
              leftSection={<Images size={14} aria-hidden />}
              onClick={() => setIsOpen(true)}
            >
              Choose
            </Button>
            {!isBoxShown && (
              <Button variant="subtle" color="gray" size="xs" onClick={() => setTyping(true)}>
                By URL
              </Button>
            )}
          </Group>
        </div>
      </div>
      {isBoxShown && (
        <TextInput
          id={id}
          size="sm"
          value={source}
          placeholder={schema.default === undefined ? 'Image id or URL' : placeholder}
          spellCheck={false}
          autoFocus={isTyping}
          error={isInvalid}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          onChange={({ currentTarget }) => {
            // The box stays, also if the text becomes an id.
            setTyping(true)
            onChange(currentTarget.value === '' ? undefined : currentTarget.value)
          }}
        />
      )}
      <UploadLine upload={upload} />
      {isOpen && (
        <Suspense>
          <ImagePicker
            onClose={() => setIsOpen(false)}
            onPick={(picked) => {
              setIsOpen(false)
              setTyping(false)
              onChange(picked)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

function SourcePreview({ source }: { source: string }) {
  const isStored = isImageId(source)
  const { data } = useQuery({ ...imageQuery(source), enabled: isStored, retry: false })
  if (data !== undefined) return <Thumbnail url={data.url} thumbnailUrl={data.thumbnailUrl} alt="" />
  return <ImageIcon size={20} aria-hidden />
}

function SourceName({ source }: { source: string }) {
  const { data, isError } = useQuery({ ...imageQuery(source), enabled: isImageId(source), retry: false })
  const text =
    data !== undefined
      ? `${data.name} · ${data.width} × ${data.height}`
      : isError
        ? 'This image doesn’t exist. It may be in the bin.'
        : sourceName(source)
  return (
    <Text size="xs" c="dimmed" truncate>
      {text}
    </Text>
  )
}

export function UploadLine({ upload }: { upload: Upload | undefined }) {
  if (upload === undefined) return null
  if (upload.problem !== undefined)
    return (
      <Text size="xs" c="var(--mantine-color-error)" role="alert">
        {upload.name}: {upload.problem}
      </Text>
    )
  return (
    <div>
      <Text size="xs" c="dimmed" truncate>
        {upload.name} · {Math.round(upload.progress * 100)} %
      </Text>
      <Progress size="xs" value={upload.progress * 100} aria-label={`Upload of ${upload.name}`} />
    </div>
  )
}
