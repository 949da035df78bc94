import { Button, Drawer, Group, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { imagePath, imageQuery, moveImages, usesQuery } from '../../api/images.ts'
import { projectsQuery } from '../../api/projects.ts'
import { CopyIcon } from '../../ui/copy-icon.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { FileActions } from '../../ui/file-actions.tsx'
import { byteSize, credentialTexts, fullTime, originTexts } from '../../ui/format.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { FullImage } from '../../ui/thumbnail.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import classes from './image-drawer.module.css'
import { ImageName } from './image-name.tsx'
import { noProject, projectChoices } from './move-dialog.tsx'
import { isNamed } from './used-images.ts'
import { UsesList } from './uses-list.tsx'

const Lightbox = lazyPart(() => import('../../ui/lightbox.tsx'), 'Lightbox')

interface ImageDrawerProps {
  imageId: string
  onClose(): void
  onDelete(): void
}

/** One image with its details. */
export function ImageDrawer({ imageId, onClose, onDelete }: ImageDrawerProps) {
  useReturnFocus()
  const { data: image, error } = useQuery(imageQuery(imageId))
  const { data: projects = [] } = useQuery(projectsQuery)
  const [isFullSize, setFullSize] = useState(false)
  const queryClient = useQueryClient()
  const moving = useMutation({
    mutationFn: (projectId: string | null) => moveImages(queryClient, image ? [image] : [], projectId),
  })
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={image?.name ?? 'Image'}>
      <ErrorText error={error ?? moving.error} />
      {!image && !error && <Skeleton h={280} />}
      {image && (
        <Stack gap="md">
          <button
            type="button"
            className={`${classes.image} tt-checker`}
            aria-label="Show the image in full size"
            onClick={() => setFullSize(true)}
          >
            <FullImage url={image.url} thumbnailUrl={image.thumbnailUrl} format={image.format} alt={image.name} />
          </button>
          <dl className={classes.facts}>
            <dt>Name</dt>
            <dd>
              <ImageName image={image} />
            </dd>
            <Fact name="Size" value={`${image.width} × ${image.height} pixels, ${byteSize(image.size)}`} />
            <Fact name="Format" value={image.format} />
            {image.origin && <Fact name="Origin" value={originTexts[image.origin]} />}
            {image.credentials && <Fact name="Content Credentials" value={credentialTexts[image.credentials]} />}
            <Fact name="Created" value={fullTime(image.createdAt)} />
            {image.expiresAt && <Fact name="Expires" value={fullTime(image.expiresAt)} />}
            <dt>Project</dt>
            <dd>
              <Select
                size="xs"
                aria-label="Project of the image"
                data={projectChoices(projects)}
                value={image.projectId ?? noProject}
                onChange={(value) => moving.mutate(value || null)}
                disabled={moving.isPending}
                allowDeselect={false}
                searchable
              />
            </dd>
            <dt>Used by</dt>
            <dd>
              <UsedBy imageId={image.id} />
            </dd>
            <Fact name="Id" value={image.id} isCopied />
            <Fact name="URL" value={image.url} isCopied />
          </dl>
          <Group gap="xs">
            <FileActions
              url={imagePath(image)}
              address={image.url}
              name={image.name}
              format={image.format}
              thumbnailUrl={image.thumbnailUrl}
            />
            <Button
              component={Link}
              to="/verify"
              search={{ image: image.id } as never}
              variant="default"
              leftSection={<History size={16} />}
            >
              History
            </Button>
            <Button variant="subtle" color="red" leftSection={<Trash2 size={16} />} onClick={onDelete}>
              Delete
            </Button>
          </Group>
          {isFullSize && (
            <Suspense>
              <Lightbox
                images={[{ ...image, url: imagePath(image), address: image.url, alt: image.name }]}
                onClose={() => setFullSize(false)}
              />
            </Suspense>
          )}
        </Stack>
      )}
    </Drawer>
  )
}

function UsedBy({ imageId }: { imageId: string }) {
  const { data: uses, error } = useQuery(usesQuery(imageId))
  if (error) return <ErrorText error={error} size="sm" />
  if (uses === undefined) return <Skeleton h={16} w={120} />
  return (
    <Stack gap={2} py={6}>
      {isNamed(uses) ? <UsesList {...uses} /> : <Text size="sm">{uses.hasMore ? 'Not found' : 'Nothing'}</Text>}
      {uses.hasMore && (
        <Text size="xs" c="dimmed">
          Not all workflows and projects were searched.
        </Text>
      )}
    </Stack>
  )
}

function Fact({ name, value, isCopied = false }: { name: string; value: string; isCopied?: boolean }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Text size="sm" truncate title={value} {...(isCopied ? { ff: 'monospace' } : {})}>
          {value}
        </Text>
        {isCopied && <CopyIcon value={value} label={`Copy the ${name}`} />}
      </dd>
    </>
  )
}
