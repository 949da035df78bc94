import { Select, Tabs } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { onThisOrigin } from '../api/executions.ts'
import { keyOf, outputsOf, type ShownOutput, titleOf } from '../api/outputs.ts'
import type { Execution } from '../api/types.ts'
import { byteSize, counted } from './format.ts'
import { ImageView } from './image-view.tsx'
import classes from './outputs-view.module.css'

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

/** The output of an execution. If it has several, in tabs. */
export function OutputsView(props: Props) {
  const outputs = outputsOf(props.execution)
  const [primary] = outputs
  const [chosen, setChosen] = useState<string>()
  if (primary === undefined) return null
  if (outputs.length === 1) return <OutputView {...props} output={primary} />
  const shown = outputs.find((output) => keyOf(output) === chosen) ?? primary
  return (
    <Tabs
      value={keyOf(shown)}
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
      </Tabs.List>
      {outputs.map((output) => (
        <Tabs.Panel key={keyOf(output)} value={keyOf(output)} className={classes.panel ?? ''}>
          <OutputView {...props} output={output} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** One output. A set shows the file that is chosen. */
function OutputView({ output, alt, before, isOutdated, actions }: Omit<Props, 'execution'> & { output: ShownOutput }) {
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
          alt={name === undefined ? alt : `${alt}: ${name}`}
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
