import { useDeferredValue, useEffect, useState } from 'react'
import { type JsonSchema, widgetOf } from '../schema.ts'
import type { Rendered, TemplateScope } from './language.ts'
import classes from './template.module.css'

interface Props {
  text: string
  schema: JsonSchema
  scope: TemplateScope
  /** Whether the problem from the API is already shown. */
  isProblemShown?: boolean
}

/** The result of a template, or its problem. */
export function TemplateResult({ text, schema, scope, isProblemShown = false }: Props) {
  const rendered = useRendered(text, schema, scope)
  if (rendered === undefined || (rendered.kind === 'problem' && isProblemShown)) return null
  if (rendered.kind === 'problem')
    return <div className={`${classes.result} ${classes.problem}`}>{rendered.message}</div>
  if (rendered.kind === 'unknown')
    return (
      <div className={classes.result}>
        <span aria-hidden>→</span>
        <span>available after a run: {rendered.names.join(', ')}</span>
      </div>
    )
  return (
    <div className={classes.result}>
      <span aria-hidden>→</span>
      <RenderedValue value={rendered.value} schema={schema} />
    </div>
  )
}

function RenderedValue({ value, schema }: { value: unknown; schema: JsonSchema }) {
  if (value === undefined || value === null || value === '') return <span>empty with the current values</span>
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const unit = schema['x-unit'] ?? ''
  return (
    <>
      {widgetOf(schema) === 'color' && <span className={classes.swatch} style={{ background: text }} />}
      <span className={classes.value}>{unit === '' || typeof value !== 'number' ? text : `${text} ${unit}`}</span>
    </>
  )
}

export function useRendered(text: string, schema: JsonSchema, scope: TemplateScope): Rendered | undefined {
  const later = useDeferredValue(text)
  const [rendered, setRendered] = useState<Rendered>()
  useEffect(() => {
    let isCurrent = true
    void import('./language.ts').then(({ render }) => {
      if (isCurrent) setRendered(render(later, schema, scope))
    })
    return () => {
      isCurrent = false
    }
  }, [later, schema, scope])
  return rendered
}
