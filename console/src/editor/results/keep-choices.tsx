/** The question of publishing: which images every execution uses, and which ones it makes. */
import { Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { isBypassed, turnOn } from '../document/node-records.ts'
import { neededNodes, parametersOf } from '../document/part.ts'
import { nodesOf } from '../document/wires.ts'
import { useSourceImage } from '../form/source-image.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { variableNodes } from '../state/variations.ts'
import { forecast, useStepCosts } from './forecast.ts'
import classes from './keep-choices.module.css'
import { useNodeResults } from './node-results.ts'
import { storeResult } from './pin.ts'
import { type Price, priceOf, priceText } from './price.ts'

type Choice = 'keep' | 'new'

interface Row {
  node: string
  kind: 'random' | 'pinned' | 'bypassed'
  /** Whether the present result is stored, so that it can be kept. */
  canKeep: boolean
  /** Price of a new image. */
  price: Price | undefined
  /** Identifies the present result. */
  fingerprint?: string | undefined
  /** The parameters that the node depends on. */
  parameters: readonly string[]
}

export interface Keeping {
  rows: readonly Row[]
  chosen(row: Row): Choice
  choose(node: string, choice: Choice): void
  /** Applies the choices to the document, as one change. Throws if a result can't be stored. Returns whether there was a change. */
  apply(): Promise<boolean>
}

/**
 * The nodes of the outputs that are random, pinned or bypassed, and the choices for them. `published`: the newest version, whose choice stays
 * the default.
 */
export function useKeeping(published: WorkflowDocument | undefined): Keeping {
  const editor = useEditor()
  const rows = useRows()
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({})
  const chosen = ({ node, kind, canKeep, parameters }: Row): Choice => {
    if (!canKeep) return 'new'
    // A result that depends on parameters was made for some values of them.
    const isNew = kind === 'random' && (parameters.length > 0 || published?.nodes[node] !== undefined)
    return choices[node] ?? (isNew ? 'new' : 'keep')
  }
  return {
    rows,
    chosen,
    choose: (node, choice) => setChoices((before) => ({ ...before, [node]: choice })),
    async apply() {
      const kept = rows.filter((row) => row.kind === 'random' && chosen(row) === 'keep')
      const images = await Promise.all(kept.map(async ({ node }) => [node, await storeResult(editor, node)] as const))
      const ended = rows.filter((row) => row.kind !== 'random' && chosen(row) === 'new')
      if (images.length === 0 && ended.length === 0) return false
      editor.document.getState().change('Keep results for publishing', (document) => {
        for (const [id, image] of images) {
          const node = document.nodes[id]
          if (node !== undefined) node.pinned = image
        }
        for (const { node, kind } of ended)
          if (kind === 'bypassed') turnOn(document, node)
          else delete document.nodes[node]?.pinned
      })
      return true
    },
  }
}

function useRows(): readonly Row[] {
  const editor = useEditor()
  const document = useDocument((state) => state.document)
  const variations = useDocument((state) => state.variations)
  const costs = useStepCosts()
  const needed = new Set(
    [document.output, ...Object.values(document.outputs ?? {})].flatMap((output) =>
      nodesOf(output?.node).flatMap((node) => [...neededNodes(document, node)]),
    ),
  )
  const random = variableNodes(document, editor.catalogue).filter((id) => needed.has(id))
  const { data: plan } = useQuery({
    queryKey: ['plan', editor.workflowId, 'kept', document, variations],
    queryFn: ({ signal }) => forecast(editor, { signal }),
    enabled: random.length > 0,
    gcTime: 0,
  })
  // A published execution has no variations, so it makes each result again.
  const { data: published } = useQuery({
    queryKey: ['plan', editor.workflowId, 'published', document],
    queryFn: ({ signal }) => forecast(editor, { signal, variations: null }),
    enabled: random.length > 0,
    gcTime: 0,
  })
  const stepOf = (id: string, steps = plan?.steps) => steps?.find(({ node }) => node === id)
  return [
    ...random.map((node): Row => {
      const step = stepOf(node, published?.steps)
      return {
        node,
        kind: 'random',
        canKeep: stepOf(node)?.servedFrom === 'cache',
        price: step && priceOf([step], costs),
        fingerprint: stepOf(node)?.fingerprint,
        parameters: parametersOf(document, node),
      }
    }),
    ...[...needed].flatMap((node): Row[] => {
      const own = { node, canKeep: true, price: undefined, parameters: [] }
      if (document.nodes[node]?.pinned !== undefined) return [{ ...own, kind: 'pinned' }]
      return isBypassed(document, node) ? [{ ...own, kind: 'bypassed' }] : []
    }),
  ]
}

const questions = {
  random: ['Keep this image', 'A new image for each execution'],
  pinned: ['Keep this image', 'Unpin: run the node for each execution'],
  bypassed: ['Keep it bypassed', 'Turn it on'],
} as const

/** A question for each node. Nothing without such nodes. */
export function KeepChoices({ rows, chosen, choose }: Keeping) {
  if (rows.length === 0) return null
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        In each execution of this version
      </Text>
      {rows.map((row) => (
        <KeepChoice key={row.node} row={row} value={chosen(row)} onChange={(choice) => choose(row.node, choice)} />
      ))}
    </Stack>
  )
}

function KeepChoice({ row, value, onChange }: { row: Row; value: Choice; onChange(choice: Choice): void }) {
  const { node, kind, canKeep, price, parameters } = row
  const [keep, make] = questions[kind]
  const cost = price === undefined ? '' : priceText(price)
  return (
    <div className={classes.row}>
      {kind === 'random' && <RandomPicture row={row} />}
      {kind === 'pinned' && <PinnedPicture node={node} />}
      <Radio.Group
        label={node}
        value={value}
        onChange={(next) => onChange(next === 'keep' ? 'keep' : 'new')}
        description={descriptionOf(row)}
      >
        <Stack gap={6} mt={6}>
          <Radio size="xs" value="keep" label={keep} disabled={!canKeep} />
          <Radio size="xs" value="new" label={cost === '' ? make : `${make}, ${cost}`} />
        </Stack>
      </Radio.Group>
    </div>
  )

  function descriptionOf({ kind }: Row): string | undefined {
    if (kind !== 'random') return undefined
    if (!canKeep) return 'Run it first to keep its image: it has none for its present settings.'
    return parameters.length === 0 ? undefined : `Depends on ${parameters.join(', ')}: other values need a new image.`
  }
}

function RandomPicture({ row: { node, fingerprint } }: { row: Row }) {
  const results = useNodeResults(node)
  const result = results?.find((each) => each.fingerprint === fingerprint)
  return <Picture>{result && <img src={result.previewUrl} alt={node} />}</Picture>
}

function PinnedPicture({ node }: { node: string }) {
  const { image } = useSourceImage(node)
  return <Picture>{image && <Thumbnail url={image.url} alt={node} />}</Picture>
}

/** The image that is kept. */
function Picture({ children }: { children: ReactNode }) {
  return <span className={`${classes.picture} tt-checker`}>{children}</span>
}
