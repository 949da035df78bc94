import { ActionIcon, Menu } from '@mantine/core'
import { ArrowDown, ArrowUp, Ellipsis, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { defaultText } from '../../../../shared/parameters.ts'
import { isImageId } from '../../api/images.ts'
import type { Parameter } from '../../api/workflow-document.ts'
import { keepFocus } from '../../ui/focus-on-page.ts'
import { StoredImage } from '../../ui/stored-image.tsx'
import { removeParameter } from '../document/parameters.ts'
import { itemsText } from '../form/json-values.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { FoldedItem } from './folded-item.tsx'
import { formatLabels, withParsedDefault } from './parameter-declaration.ts'

const DeclarationForm = lazy(async () => ({ default: (await import('./declaration-form.tsx')).DeclarationForm }))

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
      <Suspense>
        <DeclarationForm parameter={parameter} index={index} isNew={isNew} />
      </Suspense>
    </FoldedItem>
  )
}

/** The default in one line. */
function presetText(parameter: Parameter): ReactNode {
  const { default: preset } = withParsedDefault(parameter)
  if (typeof preset === 'string' && isImageId(preset)) return <StoredImage imageId={preset} isInline />
  return Array.isArray(preset) ? itemsText(preset) : String(defaultText(preset ?? ''))
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
          onClick={() => {
            store.getState().change(`Remove ${name}`, (document) => removeParameter(document, name))
            keepFocus(addParameterId)
          }}
        >
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
