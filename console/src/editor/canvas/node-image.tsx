import { Image as ImageIcon } from 'lucide-react'
import { memo } from 'react'
import { isImageId } from '../../api/images.ts'
import { operationOf } from '../../api/operations.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { outputId, sourceOf, sourcesOf } from '../document/wires.ts'
import { type JsonSchema, titleOf } from '../form/schema.ts'
import { imageSetting, useSourceImage } from '../form/source-image.ts'
import { useDocument, useEditor, useLivePreview, useNodeRun, useRun } from '../state/editor-context.ts'
import classes from './card.module.css'
import { RunMarks } from './run-marks.tsx'
import { useQuietPreview } from './use-quiet-preview.ts'

type Settings = Readonly<Record<string, unknown>> | undefined

/** The node's preview of the current run. Before a run, its stored image, a live preview, its input or its settings. */
export const NodeImage = memo(function NodeImage({ id }: { id: string }) {
  const { catalogue } = useEditor()
  const params = useDocument(({ document }) => document.nodes[id]?.params)
  const isSource = useDocument(
    ({ document: { nodes } }) => nodes[id]?.pinned !== undefined || imageSetting(catalogue, nodes[id]) !== undefined,
  )
  const isOutput = useDocument(({ document }) => document.output?.node === id)
  const resultUrl = useResultUrl()
  if (isSource) return <SourceImage id={id} settings={params} />
  return <ResultImage id={id} from={id} settings={params} resultUrl={isOutput ? resultUrl : undefined} />
})

/** The preview of the output's node. Before a run, the input of the workflow or the settings of the output. */
export const OutputImage = memo(function OutputImage({ id }: { id: string }) {
  const output = useDocument(({ document }) => document.output)
  const resultUrl = useResultUrl()
  const { node: _, ...settings } = output ?? {}
  return <ResultImage id={id} from={outputId} settings={settings} resultUrl={resultUrl} />
})

/** The output of the current run: cached steps can be without previews. */
function useResultUrl(): string | undefined {
  return useRun(({ execution }) => execution?.output?.url)
}

function SourceImage({ id, settings }: { id: string; settings: Settings }) {
  const { source, image, isMissing } = useSourceImage(id)
  return (
    <CardImage
      id={id}
      settings={settings}
      storedUrl={image?.url}
      isLoading={image === undefined && !isMissing && isImageId(source ?? '')}
      problem={
        isMissing
          ? 'This image doesn’t exist. Restore it from the bin of the storage, or choose another one.'
          : undefined
      }
    />
  )
}

/** `from`: the node whose inputs are followed to their source. */
function ResultImage({ from, ...props }: CardImageProps & { from: string }) {
  const { catalogue } = useEditor()
  const source = useDocument(({ document }) =>
    originOf(document, from, (id) => imageSetting(catalogue, document.nodes[id]) !== undefined),
  )
  const { image } = useSourceImage(source ?? '')
  return <CardImage {...props} inputUrl={image?.url} />
}

/** The source node that the first input of a node comes from, through other nodes. */
function originOf(document: WorkflowDocument, from: string, isSource: (id: string) => boolean): string | undefined {
  const seen = new Set<string>()
  let at = from === outputId ? sourceOf(document.output?.node ?? '').source : from
  while (!seen.has(at)) {
    if (isSource(at)) return at
    seen.add(at)
    const [first] = Object.values(document.nodes[at]?.inputs ?? {}).flatMap((input) => sourcesOf(input))
    if (first === undefined) return undefined
    at = sourceOf(first).source
  }
  return undefined
}

interface CardImageProps {
  id: string
  settings: Settings
  /** The URL of the image that the node would load now. */
  storedUrl?: string | undefined
  /** The image to load is not known yet. */
  isLoading?: boolean
  /** The URL of the image that reaches the node, perhaps changed by others. Shown before the first run. */
  inputUrl?: string | undefined
  /** The URL of the image that the last run made of it. */
  resultUrl?: string | undefined
  problem?: string | undefined
}

/** The image of the node, and the marks of its run below it. Both together have one height, with and without a run. */
function CardImage({ id, settings, storedUrl, isLoading, inputUrl, resultUrl, problem }: CardImageProps) {
  const run = useNodeRun(id)
  const live = useLivePreview(id)
  const isRunning = useRun((state) => state.isRunning)
  const liveUrl = storedUrl === undefined ? live?.url : undefined
  const fullUrl = storedUrl ?? (run === undefined || run.isStale ? undefined : resultUrl)
  const runUrl = run?.isStale && storedUrl !== undefined ? undefined : run?.previewUrl
  const previewUrl = liveUrl ?? runUrl
  const hasOwn = (runUrl ?? fullUrl) !== undefined || isLoading
  const frame = useQuietPreview(id, !hasOwn && run?.error === undefined && problem === undefined)
  const isStale = liveUrl === undefined ? run?.isStale : live?.problem !== undefined
  const message = liveUrl === undefined ? (run?.error?.message ?? problem) : problem
  const hasMarks = run !== undefined || live !== undefined
  const isOfRun = live?.isQuiet === true && run !== undefined && !run.isStale
  const isImage = message === undefined && (previewUrl ?? fullUrl) !== undefined
  return (
    <>
      <div
        ref={frame}
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
        ) : inputUrl !== undefined && run === undefined ? (
          <span className={classes.input} title="The input, until the first run">
            <Thumbnail url={inputUrl} alt="" draggable={false} />
            <span className={classes.inputMark}>Input</span>
          </span>
        ) : (
          <Summary id={id} settings={settings} />
        )}
      </div>
      {hasMarks && <RunMarks run={run} live={isRunning || isOfRun ? undefined : live} />}
    </>
  )
}

function Summary({ id, settings }: { id: string; settings: Settings }) {
  const { catalogue } = useEditor()
  const schema = useDocument(({ document }) => operationOf(catalogue, document.nodes[id])?.params) as
    | JsonSchema
    | undefined
  const summary = summaryOf(settings, schema?.properties)
  if (summary === '') return <ImageIcon className={classes.nothing} size={28} strokeWidth={1.25} aria-hidden />
  return <span className={classes.empty}>{summary}</span>
}

/** The settings that a card shows before its first run. */

const linesMax = 5
const charsMax = 30

function summaryOf(params: Settings = {}, properties: JsonSchema['properties'] = {}): string {
  const lines = Object.entries(params).map(([name, value]) => {
    const schema = properties[name]
    return `${schema === undefined ? name : titleOf(schema, name)}: ${short(value)}`
  })
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
