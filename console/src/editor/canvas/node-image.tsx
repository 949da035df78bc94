import { Image as ImageIcon } from 'lucide-react'
import { memo } from 'react'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { imageSetting, useSourceImage } from '../form/source-image.ts'
import { useDocument, useEditor, useLivePreview, useNodeRun, useRun } from '../state/editor-context.ts'
import classes from './card.module.css'
import { RunMarks } from './run-marks.tsx'

type Settings = Readonly<Record<string, unknown>> | undefined

/** The node's preview of the current run. Before a run, its stored image or its settings. */
export const NodeImage = memo(function NodeImage({ id }: { id: string }) {
  const { catalogue } = useEditor()
  const params = useDocument(({ document }) => document.nodes[id]?.params)
  const isSource = useDocument(
    ({ document: { nodes } }) => nodes[id]?.pinned !== undefined || imageSetting(catalogue, nodes[id]) !== undefined,
  )
  const isOutput = useDocument(({ document }) => document.output?.node === id)
  const resultUrl = useResultUrl()
  if (isSource) return <SourceImage id={id} settings={params} />
  return <CardImage id={id} settings={params} resultUrl={isOutput ? resultUrl : undefined} />
})

/** The preview of the output's node. Before a run, the settings of the output. */
export const OutputImage = memo(function OutputImage({ id }: { id: string }) {
  const output = useDocument(({ document }) => document.output)
  const resultUrl = useResultUrl()
  const { node: _, ...settings } = output ?? {}
  return <CardImage id={id} settings={settings} resultUrl={resultUrl} />
})

/** The output of the current run: cached steps can be without previews. */
function useResultUrl(): string | undefined {
  return useRun(({ execution }) => execution?.output?.url)
}

function SourceImage({ id, settings }: { id: string; settings: Settings }) {
  const { image, isMissing } = useSourceImage(id)
  return (
    <CardImage
      id={id}
      settings={settings}
      storedUrl={image?.url}
      problem={isMissing ? 'This image doesn’t exist. Choose another one.' : undefined}
    />
  )
}

interface CardImageProps {
  id: string
  settings: Settings
  /** The URL of the image that the node would load now. */
  storedUrl?: string | undefined
  /** The URL of the image that the last run made of it. */
  resultUrl?: string | undefined
  problem?: string | undefined
}

/** The image of the node, and the marks of its run below it. Both together have one height, with and without a run. */
function CardImage({ id, settings, storedUrl, resultUrl, problem }: CardImageProps) {
  const run = useNodeRun(id)
  const live = useLivePreview(id)
  const isRunning = useRun((state) => state.isRunning)
  const liveUrl = storedUrl === undefined ? live?.url : undefined
  const fullUrl = storedUrl ?? (run === undefined || run.isStale ? undefined : resultUrl)
  const runUrl = run?.isStale && storedUrl !== undefined ? undefined : run?.previewUrl
  const previewUrl = liveUrl ?? runUrl
  const isStale = liveUrl === undefined ? run?.isStale : live?.problem !== undefined
  const message = liveUrl === undefined ? (run?.error?.message ?? problem) : problem
  const hasMarks = run !== undefined || live !== undefined
  const isImage = message === undefined && (previewUrl ?? fullUrl) !== undefined
  return (
    <>
      <div
        className={`${classes.image} ${isImage ? 'tt-checker' : ''} ${previewUrl !== undefined && isStale ? classes.stale : ''}`}
        data-marked={hasMarks || undefined}
        data-live={liveUrl === undefined ? undefined : live?.isStale ? 'changing' : 'current'}
        data-picture
      >
        {message !== undefined ? (
          <div className={classes.message} title={message}>
            {message}
          </div>
        ) : previewUrl !== undefined ? (
          <img
            src={previewUrl}
            alt=""
            // A live image is decoded already. Decoding it next to the paint again would show nothing for a moment.
            {...(liveUrl === undefined ? { loading: 'lazy', decoding: 'async' } : { decoding: 'sync' })}
            draggable={false}
          />
        ) : fullUrl !== undefined ? (
          <Thumbnail url={fullUrl} alt="" draggable={false} />
        ) : (
          <Summary settings={settings} />
        )}
      </div>
      {hasMarks && <RunMarks run={run} live={isRunning ? undefined : live} />}
    </>
  )
}

function Summary({ settings }: { settings: Settings }) {
  const summary = summaryOf(settings)
  if (summary === '') return <ImageIcon className={classes.nothing} size={28} strokeWidth={1.25} aria-hidden />
  return <span className={classes.empty}>{summary}</span>
}

/** The settings that a card shows before its first run. */

const linesMax = 5
const charsMax = 30

function summaryOf(params: Readonly<Record<string, unknown>> = {}): string {
  const lines = Object.entries(params).map(([name, value]) => `${name}: ${short(value)}`)
  const visible = lines.slice(0, linesMax)
  const more = lines.length - visible.length
  return [...visible, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : Array.isArray(value) ? `${value.length} values` : textOf(value)
  return text.length > charsMax ? `${text.slice(0, charsMax - 1)}…` : text
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.values(value).map(String).join(', ')
}
