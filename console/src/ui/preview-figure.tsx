import { Group, Text } from '@mantine/core'
import classes from './image-view.module.css'

interface Props {
  url: string
  width: number
  height: number
  alt: string
  /** Whether the image is of an earlier state. */
  isStale: boolean
}

/** An image that was not run yet, so it has no file to download or to compare. Otherwise like `ImageView`. */
export function PreviewFigure({ url, width, height, alt, isStale }: Props) {
  return (
    <figure className={classes.figure} data-live={isStale ? 'changing' : 'current'}>
      <div className={classes.stage}>
        <img src={url} alt={alt} decoding="sync" className={`${classes.image} tt-checker`} />
      </div>
      <Group component="figcaption" className={classes.caption ?? ''}>
        <Text size="xs" c="dimmed">
          {`Preview · ${width} × ${height} · not run yet`}
        </Text>
      </Group>
    </figure>
  )
}
