import { ActionIcon, Button, Text } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { exampleNamePattern } from '../../../../shared/names.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { keepFocus } from '../../ui/focus-on-page.ts'
import { ParameterFields } from '../form/parameter-fields.tsx'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'
import { useIssuesOf } from './issues.ts'
import { NameField } from './name-field.tsx'

type Example = NonNullable<WorkflowDocument['examples']>[number]
const addButtonId = 'add-example'
const namePattern = new RegExp(exampleNamePattern)
const examplesMax = 20

/** The examples of the workflow, which are used to compare versions. */
export function ExamplesEditor() {
  const store = useEditor().document
  const examples = useDocument(({ document }) => document.examples) ?? []
  const add = () =>
    store.getState().change('Add an example', (document) => {
      const names = new Set(document.examples?.map(({ name }) => name))
      let count = 1
      while (names.has(`example-${count}`)) count++
      document.examples = [...(document.examples ?? []), { name: `example-${count}` }]
    })
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        Sample values for the parameters. Their images are used to compare versions.
      </Text>
      {examples.map((example, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names can change, the index cannot
        <ExampleEditor key={index} index={index} example={example} />
      ))}
      <Button
        id={addButtonId}
        variant="default"
        size="xs"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={examples.length >= examplesMax}
        onClick={add}
      >
        Add an example
      </Button>
    </>
  )
}

function ExampleEditor({ index, example }: { index: number; example: Example }) {
  const store = useEditor().document
  const path = `examples.${index}`
  const issues = useIssuesOf(path)
  const document = useDocument((state) => state.document)
  const change = (label: string, recipe: (example: Example) => void, key?: string) =>
    store.getState().change(
      label,
      ({ examples }) => {
        const found = examples?.[index]
        if (found !== undefined) recipe(found)
      },
      key === undefined ? {} : { key },
    )
  const remove = () => {
    store.getState().change(`Remove ${example.name}`, (draft) => {
      const left = draft.examples?.filter((_, i) => i !== index) ?? []
      if (left.length > 0) draft.examples = left
      else delete draft.examples
    })
    keepFocus(addButtonId)
  }
  return (
    <div className={classes.parameter} data-path={path}>
      <div className={classes.parameterBody}>
        <NameField
          path={`${path}.name`}
          name={example.name}
          description="A short description. It is also the name of the golden image."
          problems={issues.filter((issue) => issue.path === `${path}.name`).map(({ message }) => message)}
          problemOf={(name) =>
            namePattern.test(name)
              ? undefined
              : 'A name starts with a-z or 0-9, followed by a-z, 0-9, _ or -. It has at most 64 characters.'
          }
          onRename={(name) =>
            change(`Rename ${example.name}`, (found) => {
              found.name = name
            })
          }
          actions={
            <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Remove ${example.name}`} onClick={remove}>
              <Trash2 size={14} aria-hidden />
            </ActionIcon>
          }
        />
        <ParameterFields
          parameters={document.parameters ?? []}
          document={document}
          values={example.parameters ?? {}}
          path={`${path}.parameters`}
          issues={issues}
          onChange={(values) =>
            change(
              `Change ${example.name}`,
              (found) => {
                if (Object.keys(values).length > 0) found.parameters = values
                else delete found.parameters
              },
              `${path}.parameters`,
            )
          }
        />
      </div>
    </div>
  )
}
