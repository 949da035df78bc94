import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { moveImages } from '../../api/images.ts'
import { projectsQuery } from '../../api/projects.ts'
import type { ImageItem } from '../../api/types.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { counted } from '../../ui/format.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'

interface MoveDialogProps {
  images: readonly ImageItem[]
  onClose(): void
  onMoved(): void
}

/** Moves images to a project, or out of projects. */
export function MoveDialog({ images, onClose, onMoved }: MoveDialogProps) {
  useReturnFocus()
  const queryClient = useQueryClient()
  const { data: projects = [] } = useQuery(projectsQuery)
  const [projectId, setProjectId] = useState<string>(noProject)
  const moving = useMutation({
    mutationFn: () => moveImages(queryClient, images, projectId === noProject ? null : projectId),
    onSuccess: onMoved,
  })
  return (
    <Modal opened onClose={onClose} title={`Move ${counted(images.length, 'image')}`}>
      <Stack>
        <Select
          label="Project"
          data={projectChoices(projects)}
          value={projectId}
          onChange={(value) => setProjectId(value ?? noProject)}
          allowDeselect={false}
          searchable
          data-autofocus
        />
        <ErrorText error={moving.error} size="sm" />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={moving.isPending} onClick={() => moving.mutate()}>
            Move
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

export const noProject = ''

export function projectChoices(projects: readonly { id: string; name: string }[]) {
  return [{ value: noProject, label: 'No project' }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]
}
