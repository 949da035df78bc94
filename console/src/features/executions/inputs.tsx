import { Text } from '@mantine/core'
import type { ParameterValue } from '../../../../shared/parameters.ts'
import { isImageId } from '../../api/images.ts'
import type { ParameterValues } from '../../api/workflow-document.ts'
import { imagesOf } from '../../editor/state/parameter-values.ts'
import { StoredImage } from '../../ui/stored-image.tsx'
import classes from './execution.module.css'

/** The parameters of an execution. Images are shown. */
export function Inputs({ parameters }: { parameters: Readonly<ParameterValues> }) {
  const entries = Object.entries(parameters)
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No parameters.
      </Text>
    )
  return (
    <dl className={classes.inputs}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ value }: { value: ParameterValue }) {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'object')
    return (
      <>
        <Text span inherit className={classes.json}>
          {JSON.stringify(value, null, 1)}
        </Text>
        {imagesOf({ value }).map((id) => (
          <StoredImage key={id} imageId={id} />
        ))}
      </>
    )
  if (value === '')
    return (
      <Text span inherit c="dimmed">
        empty
      </Text>
    )
  // A list of images has one id per line.
  const lines = value.split('\n')
  if (lines.every((line) => isImageId(line.trim())))
    return lines.map((line) => <StoredImage key={line} imageId={line.trim()} />)
  return value
}
