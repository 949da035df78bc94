import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { FileInput } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { readText } from '../../editor/document/clipboard.ts'
import { importSvgFile } from './import-svg.tsx'

/** The size limit of the API. */
const bytesMax = 524_288

/** Reads a workflow from text, or shows why it can't be read. */
export async function importText(text: string, from: string): Promise<WorkflowDocument | undefined> {
  const read = text.length > bytesMax ? undefined : await readText(text)
  if (read !== undefined) return { ...read.document, name: read.document.name.trim() || 'Imported workflow' }
  notifications.show({
    color: 'red',
    title: `${from} isn’t a workflow`,
    message:
      text.length > bytesMax
        ? 'A document can have at most 512 KiB.'
        : 'A workflow is JSON or YAML with nodes, as copied in the editor or returned by GET /workflows/{id}/document.',
  })
  return undefined
}

export async function importFile(file: File): Promise<WorkflowDocument | undefined> {
  if (/\.svgz?$/i.test(file.name)) return importSvgFile(file)
  const text = await file.text()
  return /^\s*(<\?xml[^>]*>\s*)?<svg[\s>]/.test(text) ? importSvgFile(file) : importText(text, file.name)
}

/** Imports workflows that are dropped on the page, or pasted outside of fields. */
export function ImportAnywhere({ onImport }: { onImport(document: WorkflowDocument): void }) {
  const importDocument = useEffectEvent((document: WorkflowDocument | undefined) => {
    if (document !== undefined) onImport(document)
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { target } = event
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return
      const file = event.clipboardData?.files[0]
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (file !== undefined) void importFile(file).then(importDocument)
      else if (text.trim() !== '') void importText(text, 'The pasted text').then(importDocument)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
  return (
    <Dropzone.FullScreen
      active
      multiple={false}
      useFsAccessApi={false}
      onDrop={([file]) => file && void importFile(file).then((read) => read && onImport(read))}
      inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
    >
      <Group justify="center" mih="70vh" gap="sm">
        <FileInput size={28} aria-hidden />
        <Text size="lg">Drop a workflow (JSON or YAML) or a design (SVG)</Text>
      </Group>
    </Dropzone.FullScreen>
  )
}
