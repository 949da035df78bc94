import { Button, Group, Text, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CircleSlash, Pin, PinOff, Play } from 'lucide-react'
import { memo, useState } from 'react'
import { operationOf } from '../../api/operations.ts'
import { isBypassed } from '../document/node-records.ts'
import { listNodes } from '../document/wires.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { isVariable } from '../state/variations.ts'
import { pin, toggleBypass, unpin } from './pin.ts'
import { ResultsStrip } from './results-strip.tsx'

/** Pin and bypass of a node, and its results if they are random. */
export const NodeSwitches = memo(function NodeSwitches({ id }: { id: string }) {
  const editor = useEditor()
  const isRandom = useDocument(({ document: { nodes } }) => {
    const node = nodes[id]
    return node !== undefined && isVariable(node, editor.catalogue)
  })
  return (
    <>
      {isRandom && <ResultsStrip node={id} />}
      <Group gap={6} mb="sm">
        <PinButton id={id} />
        <BypassButton id={id} />
      </Group>
    </>
  )
})

function PinButton({ id }: { id: string }) {
  const editor = useEditor()
  const isPinned = useDocument(({ document }) => document.nodes[id]?.pinned !== undefined)
  const canPin = useDocument(({ document }) => {
    const operation = operationOf(editor.catalogue, document.nodes[id])
    const isOne = operation?.outputs.image !== null && (operation?.namedOutputs ?? []).length === 0
    return operation !== undefined && isOne && !listNodes(document, editor.catalogue).has(id)
  })
  const [isBusy, setBusy] = useState(false)
  if (isPinned)
    return (
      <Button size="compact-sm" variant="light" leftSection={<PinOff size={14} />} onClick={() => unpin(editor, id)}>
        Unpin
      </Button>
    )
  if (!canPin) return null
  return (
    <Tooltip label="Keeps the present image, whatever changes before the node (P)">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Pin size={14} />}
        loading={isBusy}
        onClick={() => {
          setBusy(true)
          void pinOrSay(editor, id).finally(() => setBusy(false))
        }}
      >
        Pin
      </Button>
    </Tooltip>
  )
}

function BypassButton({ id }: { id: string }) {
  const editor = useEditor()
  const isOff = useDocument(({ document }) => isBypassed(document, id))
  const canBypass = useDocument(({ document }) => Object.keys(document.nodes[id]?.inputs ?? {}).length > 0)
  if (!canBypass && !isOff) return null
  return (
    <>
      <Tooltip label={isOff ? 'Runs the node again (B)' : 'Passes the first input on (B)'}>
        <Button
          size="compact-sm"
          variant={isOff ? 'light' : 'default'}
          leftSection={isOff ? <Play size={14} /> : <CircleSlash size={14} />}
          onClick={() => toggleBypass(editor, id)}
        >
          {isOff ? 'Turn on' : 'Bypass'}
        </Button>
      </Tooltip>
      {isOff && (
        <Text size="xs" c="dimmed">
          Bypassed: returns its first input.
        </Text>
      )}
    </>
  )
}

/** Pins the present result, or says why it can't. */
export async function pinOrSay(editor: Parameters<typeof pin>[0], id: string): Promise<void> {
  await pin(editor, id).catch((error: Error) =>
    notifications.show({ color: 'red', title: `${id} isn’t pinned`, message: error.message }),
  )
}
