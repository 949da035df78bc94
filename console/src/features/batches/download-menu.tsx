import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type Batch, resultsPath, resultsQuery } from '../../api/batches.ts'
import { counted } from '../../ui/format.ts'

/** The results as files. A batch with more images than a ZIP file can have is downloaded in parts. */
export function DownloadMenu({ batch }: { batch: Batch }) {
  const { id } = batch
  const { data } = useQuery(resultsQuery(id))
  const parts = data !== undefined && data.zipParts.length > 1 ? data.zipParts : []
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={16} />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        {parts.length > 0 && <Menu.Label>Images in {counted(parts.length, 'part')}</Menu.Label>}
        {parts.map((part) => (
          <Menu.Item key={part.fromRow} component="a" href={resultsPath(id, 'zip', part)} download>
            Images of rows {part.fromRow} to {part.toRow} (ZIP)
          </Menu.Item>
        ))}
        {parts.length === 0 && (
          <Menu.Item component="a" href={resultsPath(id, 'zip')} download>
            Images (ZIP)
          </Menu.Item>
        )}
        {parts.length > 0 && <Menu.Divider />}
        <Menu.Item component="a" href={resultsPath(id, 'csv')} download>
          Table (CSV)
        </Menu.Item>
        <Menu.Item component="a" href={resultsPath(id, 'ndjson')} download>
          Records (NDJSON)
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
