import { Alert, Code, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { LiveExecution } from '../../api/execution-events.ts'

/** The warnings of steps, such as a source that was changed after it was signed. */
export function Warnings({ steps }: Pick<LiveExecution, 'steps'>) {
  const all = steps.flatMap(({ node, warnings = [] }) => warnings.map((warning) => ({ node, warning })))
  if (all.length === 0) return null
  return (
    <Alert color="yellow" variant="light" icon={<TriangleAlert size={18} />} title="Completed with warnings" mb="lg">
      {all.map(({ node, warning }) => (
        <Text key={`${node} ${warning}`} size="sm">
          <Code>{node}</Code> {warning}
        </Text>
      ))}
    </Alert>
  )
}
