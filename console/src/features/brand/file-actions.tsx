import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Download, FileInput } from 'lucide-react'
import type { BrandValues } from '../../api/brand.ts'
import { downloadFile } from '../../ui/download-file.ts'
import { FileButton } from '../../ui/file-button.tsx'
import { type Row, rowsOfFile } from './rows.ts'

/** Writes the saved values to a file, and reads those of a file. They are saved with the form. */
export function FileActions({ values, onRead }: { values: BrandValues; onRead(rows: Row[]): void }) {
  const read = async (file: File | null) => {
    if (file === null) return
    const { parse } = await import('yaml')
    const rows = rowsOfFile(parsed(await file.text(), parse))
    if (rows !== undefined) onRead(rows)
    else
      notifications.show({
        color: 'red',
        title: `${file.name} has no brand values`,
        message: 'A brand file is YAML or JSON with values, as this page and “tintype brand export” write it.',
      })
  }
  const write = async () => {
    const { stringify } = await import('yaml')
    downloadFile('brand.yaml', stringify({ values }), 'application/yaml')
  }
  return (
    <Group gap="sm">
      <FileButton accept=".yaml,.yml,.json" onChange={(file) => void read(file)}>
        {(props) => (
          <Button variant="default" leftSection={<FileInput size={16} aria-hidden />} {...props}>
            Import
          </Button>
        )}
      </FileButton>
      <Button
        variant="default"
        leftSection={<Download size={16} aria-hidden />}
        disabled={Object.keys(values).length === 0}
        onClick={() => void write()}
      >
        Export
      </Button>
    </Group>
  )
}

/** The values of at most this many aliases: a short file can't unfold to a long one. */
const aliasesMax = 100

function parsed(text: string, parse: (text: string, options: { maxAliasCount: number }) => unknown): unknown {
  try {
    return parse(text, { maxAliasCount: aliasesMax })
  } catch {
    return undefined
  }
}
