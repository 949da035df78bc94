import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { counted } from '../../ui/format.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { isNamed, type UsedImage } from './used-images.ts'
import { UsesList } from './uses-list.tsx'

/** A deletion that waits for a decision. */
export interface UsesQuestion {
  /** The images to delete. */
  ids: readonly string[]
  used: readonly UsedImage[]
  /** Why the uses could not be looked up. */
  problem?: string
}

interface Props extends UsesQuestion {
  nameOf(imageId: string): string
  onKeep(): void
  onDelete(ids: readonly string[]): void
}

/** Shows the workflows and brands that use the images, before they are deleted. */
export function UsesDialog({ ids, used, problem, nameOf, onKeep, onDelete }: Props) {
  useReturnFocus()
  const unused = ids.filter((id) => !used.some((image) => image.id === id))
  const isOne = ids.length === 1
  const named = used.filter(isNamed)
  return (
    <Modal opened onClose={onKeep} size="lg" title={titleOf(ids, named)}>
      <Stack>
        {problem !== undefined && (
          <Text size="sm" c="red" role="alert">
            The uses of {isOne ? 'this image' : 'these images'} couldn’t be looked up: {problem}
          </Text>
        )}
        {named.length > 0 && (
          <Text size="sm">
            Executions of {readersOf(named)} fail without the {named.length === 1 ? 'image' : 'images'}. Choose another
            image there first.
          </Text>
        )}
        {named.map((image) => (
          <section key={image.id} aria-label={nameOf(image.id)}>
            {!isOne && (
              <Text size="sm" fw={600}>
                {nameOf(image.id)}
              </Text>
            )}
            <UsesList {...image} />
          </section>
        ))}
        {used.some(({ hasMore }) => hasMore) && (
          <Text size="sm" c="dimmed">
            Others may use {isOne ? 'it' : 'them'}, too: not all workflows and projects were searched.
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onKeep} data-autofocus>
            {isOne ? 'Keep the image' : 'Keep all'}
          </Button>
          {unused.length > 0 && unused.length < ids.length && (
            <Button variant="default" onClick={() => onDelete(unused)}>
              Delete {counted(unused.length, 'unused image')}
            </Button>
          )}
          <Button color="red" onClick={() => onDelete(ids)}>
            Delete {isOne ? 'anyway' : `all ${ids.length}`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function kindOf(used: readonly UsedImage[]): 'workflows' | 'brands' | 'both' {
  if (used.every(({ brands = [] }) => brands.length === 0)) return 'workflows'
  return used.every(({ workflows }) => workflows.length === 0) ? 'brands' : 'both'
}

function readersOf(used: readonly UsedImage[]): string {
  return {
    workflows: 'these workflows',
    brands: 'workflows that read these brand values',
    both: 'these workflows, and of those that read these brand values,',
  }[kindOf(used)]
}

function titleOf(ids: readonly string[], used: readonly UsedImage[]): string {
  if (used.length === 0) return ids.length === 1 ? 'Delete this image?' : `Delete ${ids.length} images?`
  const users = { workflows: 'Workflows', brands: 'Brands', both: 'Workflows and brands' }[kindOf(used)]
  return ids.length === 1 ? `${users} use this image` : `${users} use ${used.length} of ${ids.length} images`
}
