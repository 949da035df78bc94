/** Runs the draft up to the node on the stage: before its first picture and after each change, if this costs nothing. */
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { validateDocument } from '../../api/workflows.ts'
import { dollars } from '../../ui/format.ts'
import { imageSetting } from '../form/source-image.ts'
import { useDocument, useEditor, useNodeRun, useRun } from '../state/editor-context.ts'
import { declaredValues } from '../state/parameter-values.ts'
import { declaredVariations } from '../state/variations.ts'

const settleMs = 250

export interface SettledRun {
  /** The picture differs from the one that a run would make now, or there is none. */
  isOutdated: boolean
  /** The picture is the one of the settings, and no run or gesture is in progress. */
  isSettled: boolean
  /** The price of the run, if it costs money: the picture waits for a click. */
  price: string | undefined
  /** Why the draft can't run. */
  problem: string | undefined
  start(): void
}

/** `isBusy`: a gesture is going on, and nothing runs until its end. */
export function useSettledRun(id: string, isBusy: boolean): SettledRun {
  const { run, workflowId, projectId, catalogue, isReadOnly } = useEditor()
  const document = useDocument((state) => state.document)
  const values = useRun((state) => state.values)
  const variations = useDocument((state) => state.variations)
  const isRunning = useRun((state) => state.isRunning)
  const completedAt = useRun(({ execution }) => execution?.completedAt)
  const ran = useNodeRun(id)
  const isSource = imageSetting(catalogue, document.nodes[id]) !== undefined
  const [settled] = useDebouncedValue({ document, values, variations }, settleMs)
  const isSettled =
    settled.document === document && settled.values === values && settled.variations === variations && !isBusy
  const { data } = useQuery({
    queryKey: ['stage-plan', workflowId, id, settled, completedAt],
    queryFn: ({ signal }) =>
      validateDocument(upTo(settled.document, id), {
        parameters: declaredValues(settled.document, settled.values),
        projectId,
        workflowId,
        variations: declaredVariations(settled.document, settled.variations),
        signal,
      }),
    enabled: isSettled && !isSource && !isReadOnly,
    gcTime: 0,
  })
  const fingerprint = data?.steps.find(({ node }) => node === id)?.fingerprint
  const hasFailed = ran?.status === 'failed' && ran.fingerprint === fingerprint
  const isOutdated = ran === undefined || (fingerprint !== undefined && ran.fingerprint !== fingerprint)
  const isFree = data?.valid === true && data.cost?.maxUsd === 0
  const mustRun = isSettled && isOutdated && isFree && !isRunning && !hasFailed && !isSource
  useEffect(() => {
    if (mustRun) run.getState().start({ node: id })
  }, [run, id, mustRun])
  const cost = data?.cost
  return {
    isOutdated: isOutdated && !isSource,
    isSettled: isSettled && !isRunning && (isSource || (data !== undefined && !isOutdated)),
    price: data?.valid !== true || isFree ? undefined : cost == null ? 'unknown cost' : dollars(cost.maxUsd),
    problem: data?.valid === false ? data.issues[0]?.message : undefined,
    start: () => run.getState().start({ node: id }),
  }
}

/** The workflow with the node as its only output, as it is run up to the node. */
function upTo({ outputs: _, ...document }: WorkflowDocument, id: string): WorkflowDocument {
  return { ...document, output: { node: id, format: 'png' } }
}
