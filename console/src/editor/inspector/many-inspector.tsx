import { ActionIcon, Button, Group, Stack, Switch, Text, Tooltip } from '@mantine/core'
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  Trash2,
  Workflow,
} from 'lucide-react'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { align, distribute, type Side } from '../document/align.ts'
import { removeNodes } from '../document/edits.ts'
import type { Box, Point } from '../document/geometry.ts'
import { cardSize, positionsOf, setPositions } from '../document/layout.ts'
import { isNote } from '../document/notes.ts'
import { outputId } from '../document/wires.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'

type Boxes = ReadonlyMap<string, Box>
const sides: { label: string; Icon: typeof AlignStartVertical; arrange: (boxes: Boxes) => Map<string, Point> }[] = [
  ...(
    [
      ['Align left', AlignStartVertical, 'left'],
      ['Align centres', AlignCenterVertical, 'centre'],
      ['Align right', AlignEndVertical, 'right'],
      ['Align top', AlignStartHorizontal, 'top'],
      ['Align middles', AlignCenterHorizontal, 'middle'],
      ['Align bottom', AlignEndHorizontal, 'bottom'],
    ] satisfies [string, typeof AlignStartVertical, Side][]
  ).map(([label, Icon, side]) => ({ label, Icon, arrange: (boxes: Boxes) => align(boxes, side) })),
  {
    label: 'Distribute horizontally',
    Icon: AlignHorizontalDistributeCenter,
    arrange: (boxes) => distribute(boxes, 'x'),
  },
  { label: 'Distribute vertically', Icon: AlignVerticalDistributeCenter, arrange: (boxes) => distribute(boxes, 'y') },
]

/** Several selected nodes: their positions and common settings. */
export function ManyInspector({ ids }: { ids: readonly string[] }) {
  const { document: store, canvas, catalogue } = useEditor()
  const nodes = ids.filter((id) => id !== outputId && !isNote(id))
  const isCached = useDocument(({ document }) => nodes.every((id) => document.nodes[id]?.cache !== false))
  const change = (label: string, recipe: (document: WorkflowDocument) => void) => store.getState().change(label, recipe)
  const move = (label: string, arrange: (boxes: Boxes) => Map<string, Point>) =>
    change(label, (document) => {
      const positions = positionsOf(document)
      const boxes = new Map(
        ids.flatMap((id): [string, Box][] => {
          const at = positions.get(id)
          return at === undefined ? [] : [[id, { ...at, ...cardSize(document, id, catalogue) }]]
        }),
      )
      setPositions(document, arrange(boxes))
    })
  return (
    <>
      <div className={classes.head}>
        <Text component="h2" fw={650}>
          {ids.length} selected
        </Text>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {ids.map((id) => (id === outputId ? 'output' : isNote(id) ? 'note' : id)).join(', ')}
        </Text>
      </div>
      <div className={classes.body}>
        <Stack gap="lg">
          <div>
            <h3 className={classes.heading}>Place</h3>
            <Group gap={4}>
              {sides.map(({ label, Icon, arrange }) => (
                <Tooltip key={label} label={label}>
                  <ActionIcon variant="default" size={36} aria-label={label} onClick={() => move(label, arrange)}>
                    <Icon size={18} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              ))}
            </Group>
          </div>
          {nodes.length > 0 && (
            <>
              <Switch
                label="Use the cache"
                checked={isCached}
                onChange={({ currentTarget: { checked } }) =>
                  change(`Change the cache of ${nodes.length} nodes`, (document) => {
                    for (const id of nodes) setCache(document, id, checked)
                  })
                }
              />
              <Button
                variant="default"
                w="fit-content"
                leftSection={<Workflow size={16} aria-hidden />}
                onClick={() => canvas.setState({ isTurning: true })}
              >
                Turn into a workflow…
              </Button>
              <Button
                variant="default"
                w="fit-content"
                leftSection={<Trash2 size={16} aria-hidden />}
                onClick={() => change(`Delete ${nodes.length} nodes`, (document) => removeNodes(document, nodes))}
              >
                Delete {nodes.length === 1 ? 'the node' : `${nodes.length} nodes`}
              </Button>
            </>
          )}
        </Stack>
      </div>
    </>
  )
}

function setCache({ nodes }: WorkflowDocument, id: string, isCached: boolean): void {
  const node = nodes[id]
  if (node === undefined) return
  if (isCached) delete node.cache
  else node.cache = false
}
