import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { hasStatus } from '../api/client.ts'
import { imagePath, imageQuery } from '../api/images.ts'
import classes from './stored-image.module.css'
import { Thumbnail } from './thumbnail.tsx'

interface Props {
  imageId: string
  /** Smaller, for a line of text, and without a link, because a button can be around it. */
  isInline?: boolean
}

/** A stored image by its thumbnail and file name. The id is shown only if the image no longer exists. */
export function StoredImage({ imageId, isInline = false }: Props) {
  const { data, error } = useQuery({ ...imageQuery(imageId), retry: false })
  if (error !== null)
    return (
      <Text span size="sm" display={isInline ? 'inline' : 'block'}>
        {imageId}{' '}
        <Text span inherit c="dimmed">
          ({hasStatus(error, 404) ? 'no longer stored' : error.message})
        </Text>
      </Text>
    )
  return (
    <span className={classes.stored} data-inline={isInline || undefined}>
      <span className={`${classes.picture} tt-checker`}>
        {data !== undefined && <Thumbnail url={data.url} thumbnailUrl={data.thumbnailUrl} alt="" />}
      </span>
      {data === undefined ? null : isInline ? (
        <span className={classes.name}>{data.name}</span>
      ) : (
        <Anchor href={imagePath(data)} target="_blank" rel="noreferrer" size="sm" truncate>
          {data.name}
        </Anchor>
      )}
    </span>
  )
}
