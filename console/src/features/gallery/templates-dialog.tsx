import { Modal, SimpleGrid, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { OutlineDrawing } from './outline.tsx'
import classes from './templates.module.css'

interface Props {
  isOpen: boolean
  onClose(): void
  onChoose(document: WorkflowDocument): void
}

/** Templates for a new workflow. */
export function TemplatesDialog({ isOpen, onClose, onChoose }: Props) {
  const { data } = useQuery({
    queryKey: ['templates'],
    queryFn: async () => (await import('./templates/templates.ts')).templates,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isOpen,
  })
  const choose = (document: WorkflowDocument) => {
    onClose()
    onChoose(document)
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title="Start from a template" size="xl">
      <Text size="sm" c="dimmed" mb="md">
        A template opens as a new draft. Nothing is published until you publish it.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
        {data?.map((document) => (
          <UnstyledButton key={document.name} className={classes.template ?? ''} onClick={() => choose(document)}>
            <span className={classes.drawing}>
              <OutlineDrawing document={document} />
            </span>
            <Text component="span" fw={600} size="sm">
              {document.name}
            </Text>
            <Text component="span" size="xs" c="dimmed">
              {document.description}
            </Text>
          </UnstyledButton>
        )) ?? ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => <Skeleton key={key} height={190} radius="md" />)}
      </SimpleGrid>
    </Modal>
  )
}
