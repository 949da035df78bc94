import { Button, Group, Text, Tooltip } from '@mantine/core'
import { CircleSlash, Pin, PinOff, Play } from 'lucide-react'
import { memo } from 'react'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { isVariable } from '../state/variations.ts'
import { ResultsStrip } from './results-strip.tsx'
import { useBypass, usePin } from './use-switches.ts'

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
  const { isOn, isAvailable, isBusy, toggle } = usePin(id)
  if (isOn)
    return (
      <Button size="compact-sm" variant="light" leftSection={<PinOff size={14} />} onClick={toggle}>
        Unpin
      </Button>
    )
  if (!isAvailable) return null
  return (
    <Tooltip label="Keeps the present image, whatever changes before the node (P)">
      <Button size="compact-sm" variant="default" leftSection={<Pin size={14} />} loading={isBusy} onClick={toggle}>
        Pin
      </Button>
    </Tooltip>
  )
}

function BypassButton({ id }: { id: string }) {
  const { isOn, isAvailable, toggle } = useBypass(id)
  if (!isAvailable) return null
  return (
    <>
      <Tooltip label={isOn ? 'Runs the node again (B)' : 'Passes the first input on (B)'}>
        <Button
          size="compact-sm"
          variant={isOn ? 'light' : 'default'}
          leftSection={isOn ? <Play size={14} /> : <CircleSlash size={14} />}
          onClick={toggle}
        >
          {isOn ? 'Turn on' : 'Bypass'}
        </Button>
      </Tooltip>
      {isOn && (
        <Text size="xs" c="dimmed">
          Bypassed: returns its first input.
        </Text>
      )}
    </>
  )
}
