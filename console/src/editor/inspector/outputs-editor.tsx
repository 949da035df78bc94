import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { keepFocus } from '../../ui/focus-on-page.ts'
import { LazyMenu } from '../../ui/lazy-menu.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import {
  addOutput,
  addPreset,
  outputKindOf,
  outputNameProblem,
  presets,
  removeOutput,
  renameOutput,
} from '../document/outputs.ts'
import { joinPath } from '../document/path.ts'
import { sourcesOf } from '../document/wires.ts'
import { Problems } from '../form/field-frame.tsx'
import { FormGrid } from '../form/form-grid.tsx'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { FoldedItem } from './folded-item.tsx'
import classes from './inspector.module.css'
import { useIssuesOf } from './issues.ts'
import { NameField } from './name-field.tsx'
import { kinds, kindTitles } from './output-kinds.ts'

const OutputFields = lazyPart(() => import('./output-fields.tsx'), 'OutputFields')

const addMenuId = 'add-output'
/** The outputs next to the primary one. */
export function OutputsSection() {
  const names = useOutputNames()
  const issues = useIssuesOf('outputs')
  const [added, setAdded] = useState<string>()
  return (
    <section className={classes.section} aria-labelledby="inspector-outputs">
      <h3 className={classes.heading} id="inspector-outputs">
        Other outputs
      </h3>
      {names.length === 0 && (
        <Text size="sm" c="dimmed" mb="xs">
          An execution can make more files than its output: other sizes, formats, a set of images for a web page, or a
          PDF.
        </Text>
      )}
      <Problems
        id="outputs-problem"
        problems={issues.flatMap((issue) => (issue.path === 'outputs' ? issue.message : []))}
      />
      {names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names can change, the index cannot
        <OutputEditor key={index} name={name} isNew={name === added} onRename={setAdded} />
      ))}
      <Group>
        <AddOutput onAdd={setAdded} />
      </Group>
    </section>
  )
}

function useOutputNames(): string[] {
  const outputs = useDocument(({ document }) => document.outputs)
  return useMemo(() => Object.keys(outputs ?? {}), [outputs])
}

function AddOutput({ onAdd }: { onAdd(name: string): void }) {
  const store = useEditor().document
  const add = (recipe: (document: WorkflowDocument) => string) => {
    let name = ''
    store.getState().change('Add an output', (document) => {
      name = recipe(document)
    })
    onAdd(name)
  }
  return (
    <LazyMenu
      id={addMenuId}
      position="bottom-start"
      returnFocus={false}
      button={(props) => (
        <Button {...props} variant="default" size="xs" leftSection={<Plus size={14} aria-hidden />}>
          Add an output
        </Button>
      )}
      rows={[
        ...kinds.map(({ value, label }) => ({
          title: label,
          onClick: () => add((document) => addOutput(document, value)),
        })),
        { title: 'Cropped to a size' },
        ...presets.map((preset) => ({
          title: preset.title,
          note: `${preset.width} × ${preset.height}`,
          onClick: () => add((document) => addPreset(document, preset)),
        })),
      ]}
    />
  )
}

interface OutputProps {
  name: string
  isNew: boolean
  /** Keeps a new output open, and the focus in it. */
  onRename(name: string): void
}

/** One output: folded, or with its settings. */
function OutputEditor({ name, isNew, onRename }: OutputProps) {
  const store = useEditor().document
  const output = useDocument(({ document }) => document.outputs?.[name])
  if (output === undefined) return null
  const path = joinPath('outputs', name)
  const rename = (to: string) => {
    store.getState().change(`Rename the output ${name}`, (document) => {
      renameOutput(document, name, to)
    })
    if (isNew) onRename(to)
  }
  return (
    <FoldedItem
      path={path}
      name={name}
      type={kindTitles[outputKindOf(output)]}
      value={sourcesOf(output.node).join(', ')}
      isNew={isNew}
      actions={
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label={`Remove the output ${name}`}
          onClick={() => {
            store.getState().change(`Remove the output ${name}`, (document) => removeOutput(document, name))
            keepFocus(addMenuId)
          }}
        >
          <Trash2 size={14} aria-hidden />
        </ActionIcon>
      }
    >
      <FormGrid>
        <NameField
          path={`${path}.$name`}
          name={name}
          description="The name in the execution, in golden images and in wires to this workflow."
          isNew={isNew}
          problemOf={(to) => outputNameProblem(store.getState().document, to)}
          onRename={rename}
        />
        <Suspense>
          <OutputFields name={name} output={output} />
        </Suspense>
      </FormGrid>
    </FoldedItem>
  )
}
