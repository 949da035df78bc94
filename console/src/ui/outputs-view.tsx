import { Select, Tabs } from '@mantine/core'
import { type ReactNode, Suspense, useState } from 'react'
import { onThisOrigin } from '../api/executions.ts'
import { keyOf, outputsOf, type ShownOutput, titleOf } from '../api/outputs.ts'
import type { Execution } from '../api/types.ts'
import { ContactSheet, type SheetImage } from './contact-sheet.tsx'
import { byteSize, counted } from './format.ts'
import { ImageView } from './image-view.tsx'
import { lazyPart } from './lazy-part.ts'
import classes from './outputs-view.module.css'

const Lightbox = lazyPart(() => import('./lightbox.tsx'), 'Lightbox')

interface Props {
  execution: Pick<Execution, 'output' | 'outputs'>
  /** Describes the primary output. The other ones add their name. */
  alt: string
  /** The previous URL of an output, by `keyOf`, to compare. */
  before?: { urls: ReadonlyMap<string, string>; label: string }
  /** Whether an output is from before the last change. */
  isOutdated?(output: ShownOutput): boolean
  /** Actions below an output. `url`: that of the shown file. */
  actions?: (output: ShownOutput, url: string) => ReactNode
}

/** The output of an execution. If it has several, in tabs, and all of them in one more. */
export function OutputsView(props: Props) {
  const outputs = outputsOf(props.execution)
  const [primary] = outputs
  const [chosen, setChosen] = useState<string>()
  const [opened, setOpened] = useState<string>()
  if (primary === undefined) return null
  const images = outputs.flatMap((output) => imagesOf(output, props.alt))
  if (images.length === 1) return <OutputView {...props} output={primary} />
  const index = images.findIndex(({ address }) => address === opened)
  const lightbox = index >= 0 && (
    <Suspense>
      <Lightbox
        images={images}
        index={index}
        onChange={(next) => setOpened(images[next]?.address)}
        onClose={() => setOpened(undefined)}
      />
    </Suspense>
  )
  const isAll = chosen === allKey
  const shown = outputs.find((output) => keyOf(output) === chosen) ?? primary
  return (
    <>
      <Tabs
        value={isAll ? allKey : keyOf(shown)}
        onChange={(key) => setChosen(key ?? undefined)}
        keepMounted={false}
        className={classes.tabs ?? ''}
      >
        <Tabs.List className={classes.list ?? ''} aria-label="Outputs">
          {outputs.map((output) => (
            <Tabs.Tab key={keyOf(output)} value={keyOf(output)}>
              {titleOf(output)}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value={allKey}>All ({images.length})</Tabs.Tab>
        </Tabs.List>
        {outputs.map((output) => (
          <Tabs.Panel key={keyOf(output)} value={keyOf(output)} className={classes.panel ?? ''}>
            <OutputView {...props} output={output} onFullSize={setOpened} />
          </Tabs.Panel>
        ))}
        <Tabs.Panel value={allKey} className={classes.panel ?? ''}>
          <ContactSheet images={images} archive="outputs.zip" onOpen={(at) => setOpened(images[at]?.address)} />
        </Tabs.Panel>
      </Tabs>
      {lightbox}
    </>
  )
}

/** A name of an output has no `$`. */
const allKey = '$all'

/** The files of an output. */
function imagesOf(output: ShownOutput, alt: string): SheetImage[] {
  const { name, files = [] } = output
  const all = files.length > 0 ? files : [output]
  return all.map(({ url, width, height, format = '' }) => ({
    url: onThisOrigin(url),
    address: url,
    alt: altOf(alt, name),
    format,
    caption: `${titleOf(output)} · ${width} × ${height}`,
    name: `${[name ?? 'output', ...(files.length > 0 ? [width] : [])].join('-')}${/\.\w+$/.exec(new URL(url, location.href).pathname)?.[0] ?? ''}`,
  }))
}

function altOf(alt: string, name: string | undefined): string {
  return name === undefined ? alt : `${alt}: ${name}`
}

/** One output. A set shows the file that is chosen. */
function OutputView({
  output,
  alt,
  before,
  isOutdated,
  actions,
  onFullSize,
}: Omit<Props, 'execution'> & { output: ShownOutput; onFullSize?: (address: string) => void }) {
  const [chosenUrl, setChosenUrl] = useState<string>()
  const { name, files = [], pages } = output
  const file = files.find(({ url }) => url === chosenUrl) ?? output
  const previousUrl = before?.urls.get(keyOf(output))
  return (
    <>
      <div className={classes.image}>
        <ImageView
          url={onThisOrigin(file.url)}
          address={file.url}
          alt={altOf(alt, name)}
          onFullSize={onFullSize && (() => onFullSize(file.url))}
          width={file.width}
          height={file.height}
          format={file.format}
          note={[pages === undefined ? [] : counted(pages, 'page'), file.size === undefined ? [] : byteSize(file.size)]
            .flat()
            .join(' · ')}
          isOutdated={isOutdated?.(output) ?? false}
          before={
            previousUrl === undefined || before === undefined || file.url !== output.url
              ? undefined
              : { url: onThisOrigin(previousUrl), label: before.label }
          }
          actions={
            files.length > 0 && (
              <Select
                size="xs"
                aria-label={`File of ${name}`}
                className={classes.files ?? ''}
                allowDeselect={false}
                data={files.map(({ url, width, format }) => ({ value: url, label: `${width} px ${format}` }))}
                value={file.url}
                onChange={(url) => setChosenUrl(url ?? undefined)}
              />
            )
          }
        />
      </div>
      {actions?.(output, file.url)}
    </>
  )
}
