import {
  Button,
  CloseButton,
  Group,
  Modal,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Text,
  UnstyledButton,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ImageUp } from 'lucide-react'
import { useState } from 'react'
import type { ImageDetail } from '../../api/types.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { UploadLine } from '../../editor/form/fields/image-control.tsx'
import { useUpload } from '../../editor/form/uploads.ts'
import { FileButton } from '../../ui/file-button.tsx'
import { StoredImage } from '../../ui/stored-image.tsx'
import { type Category, categories } from './templates/categories.ts'
import { takesPhoto, withPhoto } from './templates/photo.ts'
import classes from './templates.module.css'

interface Props {
  isOpen: boolean
  onClose(): void
  onChoose(document: WorkflowDocument): void
}

const all = 'All'

/** Templates for a new workflow, with their images. A photo that is chosen here is the photo of the new workflow. */
export function TemplatesDialog({ isOpen, onClose, onChoose }: Props) {
  const { data } = useQuery({
    queryKey: ['templates'],
    queryFn: async () => (await import('./templates/templates.ts')).templates,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isOpen,
  })
  const [category, setCategory] = useState<Category | typeof all>(all)
  const [photo, setPhoto] = useState<ImageDetail>()
  const choose = (document: WorkflowDocument) => {
    onClose()
    onChoose(withPhoto(document, photo?.id))
  }
  const shown = data?.filter((template) => category === all || template.category === category)
  return (
    <Modal opened={isOpen} onClose={onClose} title="Start from a template" size="xl">
      <Text size="sm" c="dimmed" mb="md">
        A template opens as a new draft. Nothing is published until you publish it.
      </Text>
      <OwnPhoto photo={photo} onChange={setPhoto} />
      <SegmentedControl
        aria-label="Category"
        size="xs"
        my="md"
        className={classes.categories ?? ''}
        data={[all, ...Object.keys(categories)]}
        value={category}
        onChange={(chosen) => setCategory(chosen as Category)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
        {shown?.map(({ document, url }) => (
          <UnstyledButton key={document.name} className={classes.template ?? ''} onClick={() => choose(document)}>
            <span className={classes.picture}>
              <img src={url} alt="" loading="lazy" decoding="async" />
            </span>
            <Text component="span" fw={600} size="sm">
              {document.name}
            </Text>
            <Text component="span" size="xs" c="dimmed">
              {document.description}
            </Text>
            {photo !== undefined && takesPhoto(document) && (
              <Text component="span" size="xs">
                With your photo
              </Text>
            )}
          </UnstyledButton>
        )) ?? ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => <Skeleton key={key} height={190} radius="md" />)}
      </SimpleGrid>
    </Modal>
  )
}

interface OwnPhotoProps {
  photo: ImageDetail | undefined
  onChange(photo: ImageDetail | undefined): void
}

function OwnPhoto({ photo, onChange }: OwnPhotoProps) {
  const { upload, start } = useUpload(onChange)
  if (photo !== undefined)
    return (
      <Group gap="xs">
        <StoredImage imageId={photo.id} isInline />
        <CloseButton size="sm" aria-label="Use no photo" onClick={() => onChange(undefined)} />
      </Group>
    )
  return (
    <Group gap="sm">
      <FileButton accept="image/*" onChange={(file) => file && void start(file)}>
        {(props) => (
          <Button {...props} variant="default" size="xs" leftSection={<ImageUp size={14} aria-hidden />}>
            Use your own photo
          </Button>
        )}
      </FileButton>
      <UploadLine upload={upload} />
    </Group>
  )
}
