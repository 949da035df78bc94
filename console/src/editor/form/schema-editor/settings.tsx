import { useCallback, useMemo, useRef } from 'react'
import type { ValueSchema } from '../../../../../shared/json-schema.ts'
import { joinPath, setAt } from '../../document/path.ts'
import { Fold } from '../fold.tsx'
import { useForm } from '../form-context.tsx'
import { SchemaForm } from '../schema-form.tsx'
import { settingsOf } from './kinds.ts'

interface Props {
  schema: ValueSchema
  path: string
  isField: boolean
  onChange(schema: ValueSchema): void
}

const titles: Partial<Record<ValueSchema['type'], string>> = {
  array: 'Settings of the list',
  object: 'Settings of the fields',
}

/** Bounds, options, and texts for people. */
export function Settings({ schema, path, isField, onChange }: Props) {
  const { at, issues, focus } = useForm()
  const settings = useMemo(() => settingsOf(schema, isField), [schema, isField])
  const fullPath = joinPath(at, path)
  const names = Object.keys(settings.properties ?? {})
  const newest = useRef({ schema, onChange })
  newest.current = { schema, onChange }
  const change = useCallback((name: string, value: unknown) => {
    const next = structuredClone(newest.current.schema)
    setAt(next, name, value)
    newest.current.onChange(next)
  }, [])
  const ofSettings = useMemo(() => {
    const paths = new Set(names.map((name) => joinPath(fullPath, name)))
    return issues.filter((issue) => [...paths].some((path) => issue.path === path || issue.path.startsWith(`${path}.`)))
  }, [issues, fullPath, names])
  const setCount = names.filter((name) => schema[name as keyof ValueSchema] !== undefined).length
  if (names.length === 0) return null
  return (
    <Fold
      title={titles[schema.type] ?? 'Settings'}
      note={setCount > 0 ? `${setCount} set` : ''}
      isOpenAtFirst={names.includes('enum')}
      openAt={ofSettings.length > 0 ? -ofSettings.length : undefined}
    >
      <SchemaForm
        schema={settings}
        values={schema as unknown as Record<string, unknown>}
        onChange={change}
        path={fullPath}
        issues={ofSettings}
        focus={focus}
        withTemplates={false}
      />
    </Fold>
  )
}
