import { Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, ExternalLink, History, Trash2 } from 'lucide-react'
import { imagePath, imageQuery } from '../../api/images.ts'
import { projectsQuery } from '../../api/projects.ts'
import { CopyIcon } from '../../ui/copy-icon.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { byteSize, credentialTexts, fullTime, originTexts } from '../../ui/format.ts'
import { FullImage } from '../../ui/thumbnail.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import classes from './image-drawer.module.css'

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
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={image?.name ?? 'Image'}>
      <ErrorText error={error} />
      {!image && !error && <Skeleton h={280} />}
      {image && (
        <Stack gap="md">
          <a href={imagePath(image)} target="_blank" rel="noreferrer" className={`${classes.image} tt-checker`}>
            <FullImage url={image.url} thumbnailUrl={image.thumbnailUrl} alt={image.name} />
          </a>
          <dl className={classes.facts}>
            <Fact name="Size" value={`${image.width} × ${image.height} pixels, ${byteSize(image.size)}`} />
            <Fact name="Format" value={image.format} />
            {image.origin && <Fact name="Origin" value={originTexts[image.origin]} />}
            {image.credentials && <Fact name="Content Credentials" value={credentialTexts[image.credentials]} />}
            <Fact name="Created" value={fullTime(image.createdAt)} />
            {image.expiresAt && <Fact name="Expires" value={fullTime(image.expiresAt)} />}
            {image.projectId && (
              <Fact name="Project" value={projects.find(({ id }) => id === image.projectId)?.name ?? image.projectId} />
            )}
            <Fact name="Id" value={image.id} isCopied />
            <Fact name="URL" value={image.url} isCopied />
          </dl>
          <Group>
            <Button component="a" href={imagePath(image)} download={image.name} leftSection={<Download size={16} />}>
              Download
            </Button>
            <Button
              component="a"
              href={imagePath(image)}
              target="_blank"
              rel="noreferrer"
              variant="default"
              leftSection={<ExternalLink size={16} />}
            >
              Open
            </Button>
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
        </Stack>
      )}
    </Drawer>
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
