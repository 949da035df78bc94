import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ParameterValue } from '../../../../shared/parameters.ts'
import { imagePath, imageQuery } from '../../api/images.ts'
import type { ParameterValues } from '../../api/workflow-document.ts'
import { imagesOf } from '../../editor/state/parameter-values.ts'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import classes from './execution.module.css'

const imageId = /^img_[0-9a-z]{20,}$/

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
  if (lines.every((line) => imageId.test(line.trim())))
    return lines.map((line) => <StoredImage key={line} imageId={line.trim()} />)
  return value
}

function StoredImage({ imageId: id }: { imageId: string }) {
  const { data, error } = useQuery({ ...imageQuery(id), retry: false })
  if (error !== null)
    return (
      <Text span size="sm" display="block">
        {id}{' '}
        <Text span inherit c="dimmed">
          (no longer stored)
        </Text>
      </Text>
    )
  return (
    <span className={classes.stored}>
      {data === undefined ? (
        <span />
      ) : (
        <Thumbnail url={data.url} thumbnailUrl={data.thumbnailUrl} alt="" className="tt-checker" />
      )}
      {data === undefined ? (
        id
      ) : (
        <Anchor href={imagePath(data)} target="_blank" rel="noreferrer" size="sm" truncate>
          {data.name}
        </Anchor>
      )}
    </span>
  )
}
