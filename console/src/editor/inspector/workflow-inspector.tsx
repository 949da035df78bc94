import { Button, Group, Text } from '@mantine/core'
import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import { addParameter } from '../document/parameters.ts'
import { isWithin } from '../document/path.ts'
import { FieldFrame } from '../form/field-frame.tsx'
import { PlainText } from '../form/fields/plain-text.tsx'
import { Fold } from '../form/fold.tsx'
import { FormGrid } from '../form/form-grid.tsx'
import type { JsonSchema } from '../form/schema.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'
import { useIssuesOf } from './issues.ts'
import { OutputsSection } from './outputs-editor.tsx'
import { addParameterId, ParameterEditor } from './parameter-editor.tsx'

const ExamplesEditor = lazyPart(() => import('./examples-editor.tsx'), 'ExamplesEditor')

/** The workflow itself and its parameters, if nothing is selected. */
export function WorkflowInspector() {
  return (
    <>
      <div className={classes.head}>
        <Text component="h2" fw={650}>
          Workflow
        </Text>
        <Text size="sm" c="dimmed">
          Inputs people fill in to run this workflow. Select a node to change its settings.
        </Text>
      </div>
      <div className={classes.body}>
        <section className={classes.section} aria-label="About the workflow">
          <FormGrid>
            <TextSetting name="name" title="Name" schema={{ type: 'string', minLength: 1, maxLength: 255 }} />
            <TextSetting
              name="description"
              title="Description"
              schema={{ type: 'string', maxLength: 4000, 'x-widget': 'textarea' }}
            />
          </FormGrid>
        </section>
        <Parameters />
        <OutputsSection />
        <ExamplesSection />
      </div>
    </>
  )
}

function TextSetting({ name, title, schema }: { name: 'name' | 'description'; title: string; schema: JsonSchema }) {
  const store = useEditor().document
  const value = useDocument(({ document }) => document[name])
  const problems = useIssuesOf(name).map(({ message }) => message)
  const onChange = (next: unknown) =>
    store.getState().change(
      `Change the ${name}`,
      (document) => {
        if (name === 'name') document.name = typeof next === 'string' ? next : ''
        else if (typeof next === 'string') document.description = next
        else delete document.description
      },
      { key: name },
    )
  const id = `workflow-${name}`
  return (
    <FieldFrame
      title={title}
      description=""
      isRequired={name === 'name'}
      id={id}
      labelId={`${id}-label`}
      problems={problems}
      path={name}
    >
      <PlainText
        schema={schema}
        name={name}
        value={value}
        onChange={onChange}
        id={id}
        labelId={`${id}-label`}
        isInvalid={problems.length > 0}
        placeholder=""
      />
    </FieldFrame>
  )
}

function Parameters() {
  const store = useEditor().document
  const count = useDocument(({ document }) => document.parameters?.length ?? 0)
  const [added, setAdded] = useState<number>()
  const add = () => {
    store.getState().change('Add a parameter', (document) => {
      addParameter(document)
    })
    setAdded(count)
  }
  return (
    <section className={classes.section} aria-labelledby="inspector-parameters">
      <h3 className={classes.heading} id="inspector-parameters">
        Parameters
      </h3>
      {count === 0 && (
        <Text size="sm" c="dimmed" mb="xs">
          No parameters yet. A parameter is a value that can change on every run. Add one and write{' '}
          <code>{'{{ name }}'}</code> in a setting, or use the {'{ }'} menu next to a setting.
        </Text>
      )}
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <ParameterEditor key={index} index={index} count={count} isNew={index === added} />
      ))}
      <Group>
        <Button
          id={addParameterId}
          variant="default"
          size="xs"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={add}
        >
          Add a parameter
        </Button>
      </Group>
    </section>
  )
}

function ExamplesSection() {
  const count = useDocument(({ document }) => document.examples?.length ?? 0)
  const focus = useDocument((state) => state.focus)
  const issues = useIssuesOf('examples')
  return (
    <section className={classes.section} aria-label="Examples">
      <Fold
        title="Examples"
        note={String(count)}
        openAt={focus !== undefined && isWithin(focus.path, 'examples') ? focus.at : issues.length > 0 ? -1 : undefined}
      >
        <Suspense>
          <ExamplesEditor />
        </Suspense>
      </Fold>
    </section>
  )
}
