import { ActionIcon } from '@mantine/core'
import { ArrowDown, ArrowUp, Ellipsis, Trash2 } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { defaultText } from '../../../../shared/parameters.ts'
import { isImageId } from '../../api/images.ts'
import type { Parameter } from '../../api/workflow-document.ts'
import { keepFocus } from '../../ui/focus-on-page.ts'
import { LazyMenu } from '../../ui/lazy-menu.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { StoredImage } from '../../ui/stored-image.tsx'
import { parameterNameProblem, readParameters, removeParameter, renameParameter } from '../document/parameters.ts'
import { FormGrid } from '../form/form-grid.tsx'
import { itemsText } from '../form/json-values.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { FoldedItem } from './folded-item.tsx'
import { useIssuesOf } from './issues.ts'
import { NameField } from './name-field.tsx'
import { formatLabels, withParsedDefault } from './parameter-declaration.ts'

const DeclarationFields = lazyPart(() => import('./declaration-fields.tsx'), 'DeclarationFields')

/** The id of the button that adds a parameter. */
export const addParameterId = 'add-parameter'

/** One parameter: folded, or with its declaration. */
export function ParameterEditor({ index, count, isNew }: { index: number; count: number; isNew: boolean }) {
  const parameter = useDocument(({ document }) => document.parameters?.[index])
  if (parameter === undefined) return null
  const { name, type, format, required } = parameter
  return (
    <FoldedItem
      path={`parameters.${index}`}
      name={name}
      type={`${format === undefined ? type : formatLabels[format]}${required ? ', required' : ''}`}
      value={presetText(parameter)}
      isNew={isNew}
      actions={<ParameterButtons name={name} index={index} count={count} />}
    >
      <Declaration parameter={parameter} index={index} isNew={isNew} />
    </FoldedItem>
  )
}

/** The default in one line. */
function presetText(parameter: Parameter): ReactNode {
  const { default: preset } = withParsedDefault(parameter)
  if (typeof preset === 'string' && isImageId(preset)) return <StoredImage imageId={preset} isInline />
  return Array.isArray(preset) ? itemsText(preset) : String(defaultText(preset ?? ''))
}

/** The declaration. The name field isn't loaded later: a new parameter is named first. */
function Declaration({ parameter, index, isNew }: { parameter: Parameter; index: number; isNew: boolean }) {
  const store = useEditor().document
  const path = `parameters.${index}`
  const all = useIssuesOf(path)
  const isUsed = useDocument(({ document }) => readParameters(document).has(parameter.name))
  const { name } = parameter
  const rename = (to: string) =>
    store.getState().change(`Rename ${name}`, (document) => {
      renameParameter(document, name, to)
    })
  const nameProblems = all.filter((issue) => issue.path === `${path}.name`).map(({ message }) => message)
  return (
    <FormGrid>
      <NameField
        path={`${path}.name`}
        name={name}
        description={
          isUsed
            ? 'The name in templates and API calls. Renaming updates all templates.'
            : 'No setting uses it yet: write {{ name }} in one.'
        }
        problems={nameProblems}
        isNew={isNew}
        problemOf={(to) => parameterNameProblem(store.getState().document, to)}
        onRename={rename}
      />
      <Suspense>
        <DeclarationFields parameter={parameter} path={path} />
      </Suspense>
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
    <LazyMenu
      position="bottom-end"
      returnFocus
      button={(props) => (
        <ActionIcon {...props} variant="subtle" color="gray" size={32} aria-label={`Move or remove ${name}`}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      )}
      rows={[
        { title: 'Move up', icon: <ArrowUp size={14} />, isOff: index === 0, onClick: () => move(index - 1) },
        {
          title: 'Move down',
          icon: <ArrowDown size={14} />,
          isOff: index === count - 1,
          onClick: () => move(index + 1),
        },
        {
          title: 'Remove',
          icon: <Trash2 size={14} />,
          onClick: () => {
            store.getState().change(`Remove ${name}`, (document) => removeParameter(document, name))
            keepFocus(addParameterId)
          },
        },
      ]}
    />
  )
}
