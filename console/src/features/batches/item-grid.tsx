import { Text } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { type BatchItem, type BatchItemStatus, batchItemsQuery, itemsPageSize } from '../../api/batches.ts'
import { isImageId } from '../../api/images.ts'
import type { Parameter } from '../../api/workflow-document.ts'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import classes from './batch.module.css'

interface Props {
  batchId: string
  status: BatchItemStatus | undefined
  /** Rows in this status. */
  total: number
  /** How often the visible rows are read again; false if nothing changes. */
  pollMs: number | false
  /** The parameters of the workflow. */
  parameters: readonly Parameter[]
  onOpen(item: BatchItem): void
}

const cellWidth = 180
const rowHeight = 178

/** A grid of all rows. Only the visible ones are in the page, and only their pages are loaded. */
export function ItemGrid({ batchId, status, total, pollMs, parameters, onOpen }: Props) {
  const viewport = useRef<HTMLElement>(null)
  const { ref, width } = useElementSize<HTMLElement>()
  const merged = useMergedRef(viewport, ref)
  const columns = Math.max(1, Math.floor(width / cellWidth))
  const virtual = useVirtualizer({
    count: Math.ceil(total / columns),
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    overscan: 2,
  })
  const visible = virtual.getVirtualItems()
  const pages = pagesOf(
    visible.map(({ index }) => index),
    columns,
    total,
  )
  const loaded = useQueries({
    queries: pages.map((page) => ({ ...batchItemsQuery(batchId, status, page), refetchInterval: pollMs })),
  })
  const itemAt = (index: number) => {
    const page = Math.floor(index / itemsPageSize)
    return loaded[pages.indexOf(page)]?.data?.items[index % itemsPageSize]
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    <section ref={merged} className={classes.viewport} aria-label="Rows" tabIndex={0}>
      <div className={classes.rows} style={{ height: virtual.getTotalSize() }}>
        {visible.map(({ index, start }) => (
          <div
            key={index}
            className={classes.row}
            style={{
              height: rowHeight,
              transform: `translateY(${start}px)`,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            }}
          >
            {Array.from({ length: Math.min(columns, total - index * columns) }, (_, column) => {
              const at = index * columns + column
              return <Cell key={at} item={itemAt(at)} parameters={parameters} onOpen={onOpen} />
            })}
          </div>
        ))}
      </div>
    </section>
  )
}

function pagesOf(rows: readonly number[], columns: number, total: number): number[] {
  const pages = rows.flatMap((row) => [row * columns, Math.min(total - 1, (row + 1) * columns - 1)])
  return [...new Set(pages.filter((index) => index >= 0).map((index) => Math.floor(index / itemsPageSize)))]
}

const texts: Record<BatchItemStatus, string> = {
  pending: 'Waiting',
  running: 'Running',
  completed: '',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

interface CellProps extends Pick<Props, 'parameters' | 'onOpen'> {
  item: BatchItem | undefined
}

function Cell({ item, parameters, onOpen }: CellProps) {
  if (item === undefined) return <div className={classes.cell} aria-hidden />
  const { key, status, output } = item
  const text = captionOf(item, parameters)
  return (
    <button type="button" className={classes.cell} onClick={() => onOpen(item)}>
      <span className={classes.image}>
        {output === undefined ? (
          <Text size="sm" c={status === 'failed' ? 'red' : 'dimmed'} span>
            {texts[status]}
          </Text>
        ) : (
          <Thumbnail url={output.url} thumbnailUrl={output.thumbnailUrl} alt="" className="tt-checker" />
        )}
      </span>
      <Text size="xs" truncate span className={classes.caption ?? ''} title={text ?? key}>
        {text === undefined ? (
          key
        ) : (
          <>
            <Text span inherit c="dimmed">
              {key}
            </Text>{' '}
            {text}
          </>
        )}
      </Text>
    </button>
  )
}

/** The first text of the row that is for people: not an image, a colour, a URL or a choice. */
function captionOf({ parameters: values }: BatchItem, parameters: readonly Parameter[]): string | undefined {
  const texts = parameters.filter(
    ({ type, format, enum: options }) =>
      type === 'string' && options === undefined && (format === undefined || format === 'multiline'),
  )
  return texts
    .map(({ name }) => values[name])
    .find((value): value is string => typeof value === 'string' && value !== '' && !isReference(value))
}

function isReference(text: string): boolean {
  return isImageId(text) || /^https?:\/\/\S+$/.test(text) || /^#[0-9a-f]{3,8}$/i.test(text)
}
