import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { parameterNameProblem } from '../document/parameters.ts'
import { useEditor } from '../state/editor-context.ts'

interface Props {
  /** The name at first. */
  suggested: string
  onCreate(name: string): void
  onClose(): void
}

/** Asks for the name of a new parameter: callers of the API use it. */
export function NewParameterDialog({ suggested, onCreate, onClose }: Props) {
  const { document: store } = useEditor()
  const [name, setName] = useState(suggested)
  const [problem, setProblem] = useState<string>()
  const create = (event: FormEvent) => {
    event.preventDefault()
    const found = parameterNameProblem(store.getState().document, name.trim())
    setProblem(found)
    if (found === undefined) onCreate(name.trim())
  }
  return (
    <Modal opened onClose={onClose} title="New parameter" centered size="sm">
      <form onSubmit={create} noValidate>
        <TextInput
          label="Name"
          description="API calls and the run form use this name."
          data-autofocus
          required
          spellCheck={false}
          maxLength={64}
          value={name}
          error={problem}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value)
            setProblem(undefined)
          }}
        />
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Create</Button>
        </Group>
      </form>
    </Modal>
  )
}
