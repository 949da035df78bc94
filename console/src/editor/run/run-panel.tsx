import { Button, Group, Text, Tooltip } from '@mantine/core'
import { CornerRightDown, Dices, Play, Square } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useCommands } from '../../ui/commands/commands.ts'
import { isMac } from '../../ui/commands/keys.tsx'
import { shortcutText } from '../../ui/commands/shortcuts.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { useAskBeforeRun } from '../results/ask-above.tsx'
import { AskAboveButton } from '../results/ask-above-button.tsx'
import { forecast, useCallsModels, useStepCosts } from '../results/forecast.ts'
import { free, type Price, priceOf, priceText, priceWithSource } from '../results/price.ts'
import { useDocument, useEditor, useRun } from '../state/editor-context.ts'
import { variableNodes, withNewVariations } from '../state/variations.ts'
import { Dock } from './dock.tsx'
import { PanelToggle } from './panel-toggle.tsx'
import { planText, usePlans } from './plan.ts'
import classes from './run-panel.module.css'
import { RunStatus } from './run-status.tsx'
import { useFocusFailed } from './use-focus-failed.ts'
import { useFocusInvalid } from './use-focus-invalid.ts'

/** The panel opens with its first run. */
const RunForm = lazyPart(() => import('./run-form.tsx'), 'RunForm')
const RunResult = lazyPart(() => import('./run-result.tsx'), 'RunResult')

const runShortcut = 'mod+Enter'

/** Panel below the canvas: the parameters of the run, its progress and its result. */
export function RunPanel() {
  const hasForm = useDocument(({ document }) => (document.parameters?.length ?? 0) > 0)
  const [isOpen, setOpen] = useState(false)
  useFocusFailed()
  const form = useFocusInvalid<HTMLDivElement>(useRun((run) => run.problem))
  return (
    <Dock isOpen={isOpen}>
      <RunHead isOpen={isOpen} onOpen={setOpen} />
      {isOpen && (
        <div className={classes.body} data-form={hasForm || undefined}>
          <Suspense>
            {hasForm && <RunForm form={form} />}
            <RunResult />
          </Suspense>
        </div>
      )}
    </Dock>
  )
}

/** The node that is selected alone: a run can stop there. */
function useTarget(): string | undefined {
  return useDocument(({ selection: [id, ...others], document }) =>
    id !== undefined && others.length === 0 && Object.hasOwn(document.nodes, id) ? id : undefined,
  )
}

function RunHead({ isOpen, onOpen }: { isOpen: boolean; onOpen(isOpen: boolean): void }) {
  const run = useRun((state) => state.start)
  const cancel = useRun((state) => state.cancel)
  const isRunning = useRun((state) => state.isRunning)
  const target = useTarget()
  const editor = useEditor()
  const { catalogue } = editor
  const hasRun = useRun((state) => state.execution !== undefined)
  const variable = useDocument(({ document }) => variableNodes(document, catalogue).join(' '))
    .split(' ')
    .filter(Boolean)
  const variedNode = variable.find((id) => id === target)
  const varied = variedNode === undefined ? variable : [variedNode]
  const plans = usePlans(varied)
  const callsModels = useCallsModels()
  const costs = useStepCosts(callsModels)
  const { ask, dialog } = useAskBeforeRun()
  const priceNow = async (node: string | undefined, vary: readonly string[]) => {
    if (!callsModels) return free
    const known = node === undefined && vary.length === 0 ? plans.next : undefined
    if (known) return known.price
    const variations = withNewVariations(editor.document.getState().variations, vary)
    return priceOf((await forecast(editor, { node, variations })).steps, costs)
  }
  const start = (node?: string, vary: readonly string[] = []) =>
    ask(
      () => priceNow(node, vary),
      () => {
        onOpen(true)
        run({ node, vary })
      },
    )
  const group = 'Run'
  useCommands([
    {
      id: 'run.start',
      title: 'Run',
      group,
      shortcuts: [runShortcut],
      reach: 'everywhere',
      isEnabled: () => !isRunning,
      run: () => start(),
    },
    {
      id: 'run.toNode',
      title: 'Run to the selected node',
      group,
      shortcuts: ['mod+shift+Enter'],
      reach: 'fields',
      isEnabled: () => !isRunning && target !== undefined,
      run: () => start(target),
    },
    {
      id: 'run.vary',
      title: 'Run with new variations of all AI nodes',
      group,
      isEnabled: () => !isRunning && variable.length > 0,
      run: () => start(undefined, variable),
    },
    {
      id: 'run.varyNode',
      title: 'Run with a new variation of the selected AI node',
      group,
      isEnabled: () => !isRunning && variedNode !== undefined,
      run: () => start(undefined, varied),
    },
    {
      id: 'run.cancel',
      title: 'Cancel the run',
      group,
      shortcuts: ['mod+.'],
      reach: 'fields',
      isEnabled: () => isRunning,
      run: cancel,
    },
  ])
  return (
    <div className={classes.head}>
      {isRunning ? (
        <Button size="xs" fz="sm" variant="default" leftSection={<Square size={14} />} onClick={cancel}>
          Cancel
        </Button>
      ) : (
        <Tooltip label={shortcutText(runShortcut, isMac)}>
          <Button size="xs" fz="sm" leftSection={<Play size={14} />} onClick={() => start()}>
            Run
          </Button>
        </Tooltip>
      )}
      {plans.next && !isRunning && <PriceMark price={plans.next.price} />}
      {target !== undefined && !isRunning && (
        <Button
          size="xs"
          fz="sm"
          variant="default"
          leftSection={<CornerRightDown size={14} />}
          onClick={() => start(target)}
        >
          Run to {target}
        </Button>
      )}
      {hasRun && variable.length > 0 && !isRunning && (
        <Tooltip label={variationHint(variable.length > varied.length)}>
          <Button
            size="xs"
            fz="sm"
            variant="default"
            leftSection={<Dices size={14} />}
            onClick={() => start(undefined, varied)}
          >
            {variedNode === undefined ? 'New variation' : `New variation of ${variedNode}`}
            {plans.varied && priceText(plans.varied.price) !== '' ? ` · ${priceText(plans.varied.price)}` : ''}
          </Button>
        </Tooltip>
      )}
      <RunStatus />
      <Group gap="sm" wrap="nowrap" className={classes.end ?? ''}>
        {plans.next && !isRunning && (
          <Text size="xs" c="dimmed" truncate className={classes.next ?? ''}>
            {planText(plans.next)}
          </Text>
        )}
        {callsModels && <AskAboveButton />}
        <PanelToggle isOpen={isOpen} onOpen={onOpen} />
      </Group>
      {dialog}
    </div>
  )
}

/** The price of the next run. A narrow panel leaves out its source. */
function PriceMark({ price }: { price: Price }) {
  const text = priceText(price)
  if (text === '') return null
  return (
    <Text size="sm" className={classes.price ?? ''} title={priceWithSource(price)}>
      {text}
      <span className={classes.source}>{priceWithSource(price).slice(text.length)}</span>
    </Text>
  )
}

function variationHint(hasOthers: boolean): string {
  return hasOthers
    ? 'Runs this AI node again for another result. The other nodes keep their results if their inputs did not change.'
    : 'Runs the AI nodes again for other results. Until then, unchanged nodes keep their results.'
}
