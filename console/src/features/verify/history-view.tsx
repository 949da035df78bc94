import { Drawer, SegmentedControl, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useMemo, useState } from 'react'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { Details } from './details.tsx'
import { type GraphNode, graphOf, shownStep } from './graph.ts'
import type { HistoryImage } from './history.ts'
import { HistoryGraph } from './history-graph.tsx'
import classes from './history-view.module.css'
import { HistoryOutline } from './outline.tsx'

type View = 'graph' | 'outline'

/** The history as a graph or as an outline, and the details of the selected card: next to it, or in a drawer on a narrow screen. */
export function HistoryView({ root, isShortened }: { root: HistoryImage; isShortened: boolean }) {
  const isNarrow = useMediaQuery('(max-width: 900px)', undefined, { getInitialValueInEffect: false })
  const [view, setView] = useState<View>(isNarrow ? 'outline' : 'graph')
  const [selected, setSelected] = useState(root.id)
  const [isOpen, setOpen] = useState(false)
  const [shownCounts, setShownCounts] = useState<ReadonlyMap<string, number>>(new Map())
  const nodes = useMemo(() => graphOf(root, shownCounts), [root, shownCounts])
  const node = nodes.find(({ id }) => id === selected) ?? nodes.at(-1)
  const open = useCallback(
    (id: string) => {
      const opened = nodes.find((node) => node.id === id)
      if (opened?.kind === 'more') {
        const visible = opened.image.ingredients.length - opened.count
        setShownCounts((before) => new Map(before).set(opened.image.id, visible + shownStep))
        setSelected(opened.image.ingredients[visible]?.id ?? root.id)
        return
      }
      setSelected(id)
      setOpen(true)
    },
    [nodes, root],
  )
  const props = { nodes, selected, onSelect: setSelected, onOpen: open }
  return (
    <section aria-label="History" className={classes.history}>
      <div className={classes.head}>
        <h2>History</h2>
        {isShortened && (
          <Text size="xs" c="dimmed" flex={1}>
            Shortened: some actions, ingredients or facts of the file are left out.
          </Text>
        )}
        <SegmentedControl
          size="xs"
          aria-label="View"
          value={view}
          onChange={(value) => setView(value as View)}
          data={[
            { value: 'graph', label: 'Graph' },
            { value: 'outline', label: 'Outline' },
          ]}
        />
      </div>
      <div className={classes.columns}>
        {view === 'graph' ? <HistoryGraph {...props} /> : <HistoryOutline {...props} />}
        {node !== undefined && !isNarrow && (
          <section aria-label="Details" className={classes.side}>
            <Details node={node} />
          </section>
        )}
        {node !== undefined && isNarrow && isOpen && <DetailsDrawer node={node} onClose={() => setOpen(false)} />}
      </div>
    </section>
  )
}

function DetailsDrawer({ node, onClose }: { node: GraphNode; onClose(): void }) {
  useReturnFocus()
  return (
    <Drawer opened onClose={onClose} position="bottom" size="85%" title="Details">
      <Details node={node} />
    </Drawer>
  )
}
