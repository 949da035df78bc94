import { ActionIcon, Button, Group, Loader, Text, Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Columns2, Images, Star } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../../ui/format.ts'
import { showError } from '../../ui/show-error.ts'
import { toggleStar } from '../document/node-records.ts'
import { useDocument, useEditor, useRun } from '../state/editor-context.ts'
import { useAskBeforeRun } from './ask-above.tsx'
import { CompareResults } from './compare-results.tsx'
import { type NodeForecast, useNodeForecast, useStepCosts } from './forecast.ts'
import { type NodeResult, titleOf, useNodeResults } from './node-results.ts'
import { applyResult } from './pin.ts'
import { free, type Price, priceOf, priceText, type StepCosts, sumOf, times } from './price.ts'
import classes from './results-strip.module.css'

const offeredCount = 4

/** The results of a node with random results: each comes back with a click and without a model call. */
export function ResultsStrip({ node }: { node: string }) {
  const results = useNodeResults(node)
  const forecasts = useNodeForecast(node)
  const offered = useRun((run) => run.offered.get(node) ?? 0)
  const isPinned = useDocument(({ document }) => document.nodes[node]?.pinned !== undefined)
  const [isComparing, setComparing] = useState(false)
  const current = forecasts.now?.step?.fingerprint
  if (results === undefined || (results.length === 0 && offered === 0 && forecasts.varied === undefined)) return null
  return (
    <section className={classes.section} aria-label="Results">
      <Group justify="space-between" gap={4} mb={6}>
        <Text component="h3" size="xs" fw={600} c="dimmed">
          Results{results.length > 0 ? ` (${results.length})` : ''}
        </Text>
        <Group gap={6}>
          {results.length > 1 && (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<Columns2 size={13} />}
              onClick={() => setComparing(true)}
            >
              Compare
            </Button>
          )}
          {!isPinned && <MoreButton node={node} forecasts={forecasts} isFirst={results.length === 0} />}
        </Group>
      </Group>
      <ul className={classes.strip}>
        {Array.from({ length: offered }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the places are alike
          <li key={`offered ${index}`} className={classes.waiting}>
            <Loader size={18} aria-label="Making a result" />
          </li>
        ))}
        {results.map((result) => (
          <ResultItem key={result.fingerprint} result={result} isCurrent={result.fingerprint === current} />
        ))}
      </ul>
      {isComparing && <CompareResults results={results} current={current} onClose={() => setComparing(false)} />}
    </section>
  )
}

function ResultItem({ result, isCurrent }: { result: NodeResult; isCurrent: boolean }) {
  const editor = useEditor()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const { node, previewUrl, executionIds, hasStar } = result
  const apply = async () => {
    setBusy(true)
    try {
      await applyResult(editor, queryClient, result)
    } catch (error) {
      showError(`${node} keeps its result`, error)
    } finally {
      setBusy(false)
    }
  }
  const star = () =>
    editor.document
      .getState()
      .change(`${hasStar ? 'Remove the star of' : 'Star'} a result of ${node}`, (document) =>
        toggleStar(document, node, executionIds),
      )
  return (
    <li className={classes.item}>
      <Tooltip label={titleOf(result)} openDelay={400}>
        <button
          type="button"
          className={`${classes.use} tt-checker`}
          aria-label={`Use the result of ${titleOf(result)}`}
          aria-pressed={isCurrent}
          disabled={isBusy}
          onClick={() => void (isCurrent || apply())}
        >
          <img src={previewUrl} alt="" loading="lazy" decoding="async" draggable={false} />
        </button>
      </Tooltip>
      <ActionIcon
        size={24}
        variant="default"
        className={classes.star ?? ''}
        data-starred={hasStar || undefined}
        aria-label={`Star the result of ${titleOf(result)}`}
        aria-pressed={hasStar}
        onClick={star}
      >
        <Star size={14} fill={hasStar ? 'currentColor' : 'none'} />
      </ActionIcon>
    </li>
  )
}

interface MoreProps {
  node: string
  forecasts: { now: NodeForecast | undefined; varied: NodeForecast | undefined }
  isFirst: boolean
}

/** Makes several results to choose from, with their price before. */
function MoreButton({ node, forecasts: { varied }, isFirst }: MoreProps) {
  const offer = useRun((run) => run.offer)
  const isBusy = useRun((run) => run.offered.has(node))
  const costs = useStepCosts()
  const { ask, dialog } = useAskBeforeRun()
  const price = varied && offerPrice(node, varied, costs)
  const start = (before: Price) =>
    offer(node, { count: offeredCount, alone: before.usd > 0 || before.kind === 'unknown' })
  return (
    <>
      <Tooltip label={`Makes ${counted(offeredCount, 'result')} to choose from. The draft stays as it is.`}>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Images size={13} />}
          disabled={price === undefined || isBusy}
          onClick={() =>
            price &&
            ask(
              () => price.total,
              () => start(price.before),
            )
          }
        >
          {offeredCount} {isFirst ? 'results' : 'more'}
          {price && priceText(price.total) !== '' ? ` · ${priceText(price.total)}` : ''}
        </Button>
      </Tooltip>
      {dialog}
    </>
  )
}

/** `before`: of the nodes before this one, which are paid for once. */
function offerPrice(node: string, { steps, step }: NodeForecast, costs: StepCosts): { total: Price; before: Price } {
  const before = priceOf(
    steps.filter((each) => each.node !== node),
    costs,
  )
  const own = step === undefined ? free : priceOf([step], costs)
  return { total: sumOf([before, times(offeredCount, own)]), before }
}
