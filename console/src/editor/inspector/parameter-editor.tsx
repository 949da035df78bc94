import { ActionIcon, Menu } from '@mantine/core'
import { ArrowDown, ArrowUp, Ellipsis, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useId, useState } from 'react'
import { defaultText } from '../../../../shared/parameters.ts'
import type { Parameter } from '../../api/workflow-document.ts'
import { parameterNameProblem, readParameters, removeParameter, renameParameter } from '../document/parameters.ts'
import { firstKey, isWithin } from '../document/path.ts'
import { CommitText } from '../form/commit-text.tsx'
import { FieldFrame } from '../form/field-frame.tsx'
import { FoldHead } from '../form/fold.tsx'
import { FormGrid } from '../form/form-grid.tsx'
import { itemsText } from '../form/json-values.ts'
import { SchemaForm } from '../form/schema-form.tsx'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'
import { useIssuesOf } from './issues.ts'
import { declarationSchema, formatLabels, retyped, withParsedDefault } from './parameter-declaration.ts'

/** One parameter: folded, or with its declaration. */
export function ParameterEditor({ index, count, isNew }: { index: number; count: number; isNew: boolean }) {
  const parameter = useDocument(({ document }) => document.parameters?.[index])
  const focus = useDocument((state) => state.focus)
  const issues = useIssuesOf(`parameters.${index}`)
  const [isOpen, setIsOpen] = useState(isNew)
  const id = useId()
  const openAt = focus !== undefined && isWithin(focus.path, `parameters.${index}`) ? focus.at : undefined
  useEffect(() => {
    if (openAt !== undefined) setIsOpen(true)
  }, [openAt])
  if (parameter === undefined) return null
  return (
    <div className={classes.parameter} data-path={`parameters.${index}`} data-wrong={issues.length > 0 || undefined}>
      <div className={classes.parameterHead}>
        <FoldHead className={classes.parameterName} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} controls={id}>
          <span className={classes.name}>{parameter.name}</span>
          <span className={classes.type}>
            {parameter.format === undefined ? parameter.type : formatLabels[parameter.format]}
            {parameter.required ? ', required' : ''}
          </span>
          <span className={classes.default}>{presetText(parameter)}</span>
        </FoldHead>
        <ParameterButtons name={parameter.name} index={index} count={count} />
      </div>
      {isOpen && (
        <div id={id} className={classes.parameterBody}>
          <Declaration parameter={parameter} index={index} isNew={isNew} />
        </div>
      )}
    </div>
  )
}

/** The default in one line. */
function presetText(parameter: Parameter): string {
  const { default: preset } = withParsedDefault(parameter)
  return Array.isArray(preset) ? itemsText(preset) : String(defaultText(preset ?? ''))
}

function Declaration({ parameter, index, isNew }: { parameter: Parameter; index: number; isNew: boolean }) {
  const store = useEditor().document
  const path = `parameters.${index}`
  const all = useIssuesOf(path)
  const focus = useDocument((state) => state.focus)
  const isUsed = useDocument(({ document }) => readParameters(document).has(parameter.name))
  const id = useId()
  // Selects the generated name of a new parameter, so that typing replaces it, and scrolls it into view.
  useEffect(() => {
    const field = isNew ? document.getElementById(id) : null
    if (!(field instanceof HTMLInputElement)) return
    field.focus()
    field.select()
  }, [isNew, id])
  const { name } = parameter
  const onChange = useCallback(
    (field: string, value: unknown) =>
      store.getState().change(
        `Change ${firstKey(field)} of ${name}`,
        (document) => {
          const at = document.parameters?.findIndex((each) => each.name === name) ?? -1
          const found = document.parameters?.[at]
          if (document.parameters !== undefined && found !== undefined)
            document.parameters[at] = retyped(found, field, value)
        },
        { key: `parameters.${name}.${field}` },
      ),
    [store, name],
  )
  const rename = (to: string) =>
    store.getState().change(`Rename ${name}`, (document) => {
      renameParameter(document, name, to)
    })
  const nameProblems = all.filter((issue) => issue.path === `${path}.name`).map(({ message }) => message)
  return (
    <FormGrid>
      <FieldFrame
        title="Name"
        description={
          isUsed
            ? 'The name in templates and API calls. Renaming updates all templates.'
            : 'No setting uses it yet: write {{ name }} in one.'
        }
        isRequired
        id={id}
        labelId={`${id}-label`}
        problems={nameProblems}
        path={`${path}.name`}
      >
        <CommitText
          id={id}
          size="sm"
          value={name}
          problemOf={(to) => parameterNameProblem(store.getState().document, to)}
          onCommit={rename}
        />
      </FieldFrame>
      <SchemaForm
        schema={declarationSchema(parameter)}
        values={withParsedDefault(parameter) as unknown as Record<string, unknown>}
        onChange={onChange}
        path={path}
        withTemplates={false}
        issues={all.filter((issue) => issue.path !== `${path}.name`)}
        focus={focus}
      />
    </FormGrid>
  )
}

function ParameterButtons({ name, index, count }: { name: string; index: number; count: number }) {
  const store = useEditor().document
  const move = (to: number) =>
    store.getState().change(`Move ${name}`, (document) => {
      const [moved] = document.parameters?.splice(index, 1) ?? []
      if (moved !== undefined) document.parameters?.splice(to, 0, moved)
    })
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={`Move or remove ${name}`}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<ArrowUp size={14} />} disabled={index === 0} onClick={() => move(index - 1)}>
          Move up
        </Menu.Item>
        <Menu.Item leftSection={<ArrowDown size={14} />} disabled={index === count - 1} onClick={() => move(index + 1)}>
          Move down
        </Menu.Item>
        <Menu.Item
          leftSection={<Trash2 size={14} />}
          onClick={() => store.getState().change(`Remove ${name}`, (document) => removeParameter(document, name))}
        >
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
