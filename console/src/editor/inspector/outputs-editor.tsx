import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { useCallback, useId, useMemo, useState } from 'react'
import type { NamedOutput, WorkflowDocument } from '../../api/workflow-document.ts'
import { keepFocus } from '../../ui/focus-on-page.ts'
import {
  addOutput,
  addPreset,
  type OutputKind,
  outputKindOf,
  outputNameProblem,
  presets,
  removeOutput,
  renameOutput,
  setOutputKind,
} from '../document/outputs.ts'
import { isWithin, joinPath, setAt } from '../document/path.ts'
import { namedSocket, outputId, sourcesOf } from '../document/wires.ts'
import { FieldFrame, Problems } from '../form/field-frame.tsx'
import { Segments } from '../form/fields/choice-controls.tsx'
import { FormGrid } from '../form/form-grid.tsx'
import { SchemaForm } from '../form/schema-form.tsx'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { FoldedItem } from './folded-item.tsx'
import classes from './inspector.module.css'
import { useIssuesOf } from './issues.ts'
import { NameField } from './name-field.tsx'
import { kindOptions, namedSchemaFor } from './named-output-schema.ts'
import { SocketWires } from './node-sockets.tsx'

const addMenuId = 'add-output'
const kindTitles: Readonly<Record<OutputKind, string>> = { image: 'Image', set: 'Set of images', pdf: 'PDF' }
const kinds = Object.entries(kindTitles).map(([value, label]) => ({ value: value as OutputKind, label }))

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
    <Menu id={addMenuId} position="bottom-start" shadow="md" returnFocus={false}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<Plus size={14} aria-hidden />}>
          Add an output
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map(({ value, label }) => (
          <Menu.Item key={value} onClick={() => add((document) => addOutput(document, value))}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Label>Cropped to a size</Menu.Label>
        {presets.map((preset) => (
          <Menu.Item
            key={preset.name}
            rightSection={
              <Text span size="xs" c="dimmed">
                {preset.width} × {preset.height}
              </Text>
            }
            onClick={() => add((document) => addPreset(document, preset))}
          >
            {preset.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

interface EditorProps {
  name: string
  isNew: boolean
  /** Keeps a new output open, and the focus in it. */
  onRename(name: string): void
}

/** One output: folded, or with its settings. */
function OutputEditor({ name, isNew, onRename }: EditorProps) {
  const store = useEditor().document
  const output = useDocument(({ document }) => document.outputs?.[name])
  if (output === undefined) return null
  return (
    <FoldedItem
      path={joinPath('outputs', name)}
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
      <OutputFields name={name} output={output} isNew={isNew} onRename={onRename} />
    </FoldedItem>
  )
}

function OutputFields({ name, output, isNew, onRename }: EditorProps & { output: NamedOutput }) {
  const store = useEditor().document
  const path = joinPath('outputs', name)
  const all = useIssuesOf(path)
  const focus = useDocument((state) => state.focus)
  const id = useId()
  const onChange = useCallback(
    (setting: string, value: unknown) =>
      store
        .getState()
        .change(
          `Change ${setting} of the output ${name}`,
          (document) => setAt(document, joinPath('outputs', name, setting), value),
          { key: joinPath('outputs', name, setting) },
        ),
    [store, name],
  )
  const rename = (to: string) => {
    store.getState().change(`Rename the output ${name}`, (document) => {
      renameOutput(document, name, to)
    })
    if (isNew) onRename(to)
  }
  const { node, ...settings } = output
  const kind = outputKindOf(settings)
  const isOfNode = (at: string) => isWithin(at, `${path}.node`)
  const isOfKind = (at: string) => kind === 'pdf' && at === `${path}.format`
  return (
    <FormGrid>
      <NameField
        path={`${path}.$name`}
        name={name}
        description="The name in the execution, in golden images and in wires to this workflow."
        isNew={isNew}
        problemOf={(to) => outputNameProblem(store.getState().document, to)}
        onRename={rename}
      />
      <FieldFrame
        title="File"
        description="One image, a set of images in several widths and formats for a web page, or a PDF with a page for each image."
        isRequired={false}
        id={`${id}-kind`}
        labelId={`${id}-kind-label`}
        problems={all.flatMap((issue) => (isOfKind(issue.path) ? issue.message : []))}
        path={`${path}.$kind`}
      >
        <Segments
          id={`${id}-kind`}
          radius="md"
          aria-labelledby={`${id}-kind-label`}
          data={kinds}
          value={kind}
          onChange={(next) =>
            store
              .getState()
              .change(`Change the file of the output ${name}`, (document) =>
                setOutputKind(document, name, next as OutputKind, kindOptions[next as OutputKind]),
              )
          }
        />
      </FieldFrame>
      <div className={classes.socket} data-many data-path={`${path}.node`}>
        <div className={classes.socketName}>{kind === 'pdf' ? 'Pages' : 'Image'}</div>
        <SocketWires
          target={outputId}
          socket={namedSocket(name)}
          name={kind === 'pdf' ? `Page of ${name}` : `Image of ${name}`}
          input={node}
          isMany={kind === 'pdf'}
          path={`${path}.node`}
          placeholder={kind === 'pdf' ? 'Add pages' : 'Choose a node'}
        />
      </div>
      <SchemaForm
        schema={namedSchemaFor(settings)}
        values={settings}
        onChange={onChange}
        path={path}
        issues={all.filter((issue) => !isOfNode(issue.path) && !isOfKind(issue.path))}
        focus={focus}
      />
    </FormGrid>
  )
}
