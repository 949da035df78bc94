/**
 * The live picture of the node on the stage: of its settings as they are, without a run. A run is only for what a preview refuses: an AI
 * call that has no cached result, and nodes that take too long.
 */
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { forecast, useStepCosts } from '../results/forecast.ts'
import { type Price, priceOf } from '../results/price.ts'
import { useDocument, useEditor, useLivePreview, useNodeRun, useRun } from '../state/editor-context.ts'
import { useSharpPicture } from './picture.ts'

const settleMs = 250

export interface LivePicture {
  /** The picture and the frames are those of the settings, with all pixels of a run. */
  isSettled: boolean
  /** The run that makes the picture; undefined if the preview does. */
  needed: NeededRun | undefined
  /** Why the settings have no picture. */
  problem: string | undefined
}

export interface NeededRun {
  /** Undefined before it is known. */
  price: Price | undefined
  /** The price, also before it is known. */
  priceNow(): Price | Promise<Price>
  start(): void
}

export function useLivePicture(id: string): LivePicture {
  const editor = useEditor()
  const { run, isReadOnly } = editor
  const { isSharp } = useSharpPicture(id)
  const live = useLivePreview(id)
  const isRunning = useRun((state) => state.isRunning)
  const ran = useNodeRun(id)
  const { problem } = live ?? {}
  const isRefused = problem?.kind === 'run' && !isRunning
  const plan = usePlan(id, isRefused)
  // A run of these settings made the picture already, for example one that no cache keeps.
  const hasRun = plan !== undefined && ran?.status !== 'failed' && ran?.fingerprint === plan.fingerprint
  const isNeeded = isRefused && !hasRun
  return {
    isSettled: !isRunning && (isReadOnly || isSharp),
    needed: isNeeded
      ? {
          price: plan?.price,
          priceNow: () => plan?.price ?? forecast(editor, { node: id }).then(({ steps }) => priceOf(steps, new Map())),
          start: () => run.getState().start({ node: id }),
        }
      : undefined,
    problem: problem?.kind === 'invalid' ? problem.message : undefined,
  }
}

/** The price of a run up to the node, and the fingerprint of its work. */
function usePlan(id: string, isEnabled: boolean) {
  const editor = useEditor()
  const costs = useStepCosts(isEnabled)
  const document = useDocument((state) => state.document)
  const values = useRun((state) => state.values)
  const variations = useDocument((state) => state.variations)
  const completedAt = useRun(({ execution }) => execution?.completedAt)
  const [settled] = useDebouncedValue({ document, values, variations }, settleMs)
  const { data } = useQuery({
    queryKey: ['stage-plan', editor.workflowId, id, settled, completedAt],
    queryFn: ({ signal }) => forecast(editor, { ...settled, node: id, signal }),
    enabled: isEnabled,
    gcTime: 0,
  })
  if (data?.valid !== true) return undefined
  const { steps } = data
  return { price: priceOf(steps, costs), fingerprint: steps.find(({ node }) => node === id)?.fingerprint }
}
