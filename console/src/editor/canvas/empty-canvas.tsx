import { Button, Group, Kbd, Stack, Text, Title } from '@mantine/core'
import { ClipboardPaste, Plus, Shapes } from 'lucide-react'
import { useEditor } from '../state/editor-context.ts'
import { pasteFromClipboard } from './actions/clipboard.ts'
import { startWithExample } from './actions/example.ts'
import classes from './empty-canvas.module.css'

/** The first steps, while the workflow is empty. */
export function EmptyCanvas() {
  const editor = useEditor()
  return (
    <div className={classes.content}>
      <Stack align="center" gap="sm" className={classes.words ?? ''}>
        <Title order={2} size="h3">
          Nothing here yet
        </Title>
        <Text c="dimmed" size="sm" ta="center" maw={380}>
          A workflow is a chain of nodes. An image comes in on the left, each node changes it, and the last node creates
          the output.
        </Text>
        <Group gap="xs" justify="center" mt="xs">
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => editor.canvas.setState({ palette: {} })}>
            Add the first node
          </Button>
          <Button
            variant="default"
            leftSection={<Shapes size={16} aria-hidden />}
            onClick={() => void startWithExample(editor)}
          >
            Start from an example
          </Button>
          <Button
            variant="default"
            leftSection={<ClipboardPaste size={16} aria-hidden />}
            onClick={() => void pasteFromClipboard(editor)}
          >
            Paste a document
          </Button>
        </Group>
        <Text c="dimmed" size="xs" ta="center" mt={4}>
          Or double-click anywhere, press <Kbd size="xs">/</Kbd>, or drop images or a JSON or YAML file.
        </Text>
      </Stack>
    </div>
  )
}
