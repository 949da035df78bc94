/** Fields of the form: the inputs of the browser, which phones have keyboards and pickers for. */
import { type InputHTMLAttributes, useEffect, useId, useState } from 'react'
import type { Parameter } from '../../api/run-link.ts'
import { type FieldKind, kindOf, labelOf, type Value } from './values.ts'

interface FieldProps {
  parameter: Parameter
  value: Value
  problem: string | undefined
  onChange(value: Value): void
}

/** The attributes that connect an input with its description and its problem. */
interface Connected {
  id: string
  required: boolean
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
}

export function Field({ parameter, value, problem, onChange }: FieldProps) {
  const id = useId()
  const kind = kindOf(parameter)
  const { description, required = false } = parameter
  const described = [description && `${id}-about`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const connected: Connected = {
    id,
    // The value of a checkbox is always there.
    required: required && kind !== 'boolean',
    'aria-describedby': described || undefined,
    'aria-invalid': problem === undefined ? undefined : true,
  }
  const label = (
    <label htmlFor={id}>
      {labelOf(parameter)}
      {!required && kind !== 'boolean' && <span className="optional"> (optional)</span>}
    </label>
  )
  return (
    <div className="field" data-kind={kind}>
      {kind !== 'boolean' && label}
      {description && (
        <p id={`${id}-about`} className="about">
          {description}
        </p>
      )}
      {kind === 'boolean' ? (
        <div className="check">
          <input
            type="checkbox"
            {...connected}
            checked={value === true}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />
          {label}
        </div>
      ) : (
        <Control kind={kind} parameter={parameter} value={value} connected={connected} onChange={onChange} />
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="problem">
          {problem}
        </p>
      )}
    </div>
  )
}

interface ControlProps {
  kind: FieldKind
  parameter: Parameter
  value: Value
  connected: Connected
  onChange(value: Value): void
}

function Control({ kind, parameter, value, connected, onChange }: ControlProps) {
  if (kind === 'image') return <ImageControl value={value} connected={connected} onChange={onChange} />
  const text = typeof value === 'string' ? value : ''
  if (parameter.type === 'string' && parameter.enum !== undefined)
    return (
      <select {...connected} value={text} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {(text === '' || !parameter.required) && <option value="">Choose…</option>}
        {parameter.enum.map((each) => (
          <option key={each} value={each}>
            {parameter.labels?.[each] ?? each}
          </option>
        ))}
      </select>
    )
  if (kind === 'lines' || kind === 'json')
    return (
      <textarea
        {...connected}
        rows={kind === 'json' ? 6 : 4}
        spellCheck={kind !== 'json'}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  const input = (
    <input
      {...connected}
      {...attributesOf(parameter, kind)}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
  if (kind !== 'color') return input
  return (
    <div className="color">
      {input}
      <input
        type="color"
        aria-label={`Pick ${labelOf(parameter).toLowerCase()}`}
        value={/^#[0-9a-f]{6}$/i.test(text) ? text : '#000000'}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  )
}

function attributesOf(parameter: Parameter, kind: FieldKind): InputHTMLAttributes<HTMLInputElement> {
  if (parameter.type === 'number') {
    const { minimum, maximum } = parameter
    return { type: 'number', inputMode: 'decimal', step: 'any', min: minimum, max: maximum }
  }
  return { type: kind === 'date' || kind === 'url' ? kind : 'text' }
}

/** Types without HEIC: for this list, iPhones convert their photos to JPEG. */
const imageTypes = 'image/jpeg,image/png,image/webp,image/avif,image/gif,image/tiff,image/svg+xml'

function ImageControl({ value, connected, onChange }: Omit<ControlProps, 'kind' | 'parameter'>) {
  const [url, setUrl] = useState<string>()
  const file = value instanceof File ? value : undefined
  useEffect(() => {
    if (file === undefined) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      setUrl(undefined)
      URL.revokeObjectURL(made)
    }
  }, [file])
  const { required, ...others } = connected
  return (
    <div className="picker">
      <input
        type="file"
        {...others}
        // An image of the workflow is a value, too.
        required={required && value === ''}
        accept={imageTypes}
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? []
          if (chosen === undefined) return
          onChange(chosen)
          // The same file can be chosen again, after it was corrected.
          currentTarget.value = ''
        }}
      />
      <span className="choose" aria-hidden="true">
        {url === undefined ? <span className="plus">+</span> : <img src={url} alt="" />}
        <span className="file">{file === undefined ? 'Choose a photo' : file.name}</span>
      </span>
    </div>
  )
}
