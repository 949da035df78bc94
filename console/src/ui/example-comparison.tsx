import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ParameterValues, WorkflowDocument } from '../api/workflow-document.ts'
import { type ComparedExample, compareWithPublished } from '../api/workflows.ts'
import classes from './comparison.module.css'
import { byteSize } from './format.ts'

interface Props {
  workflowId: string
  document: WorkflowDocument
  /** Called to show both images of an example. */
  onShow?: (parameters: ParameterValues) => void
}

const results = {
  same: { label: 'same', color: 'gray' },
  encoded: { label: 'same pixels', color: 'gray' },
  different: { label: 'different', color: 'copper' },
  resized: { label: 'another size', color: 'copper' },
  failed: { label: 'failed', color: 'red' },
} as const

/** Runs the examples of a document with the published document and with this one, and shows which images differ. */
export function ExampleComparison({ workflowId, document, onShow }: Props) {
  const comparing = useMutation({ mutationFn: () => compareWithPublished(workflowId, document) })
  const examples = document.examples ?? []
  if (examples.length === 0)
    return (
      <Text size="sm" c="dimmed">
        To compare both versions with sample values, add examples to the workflow.
      </Text>
    )
  return (
    <div>
      <Button size="xs" variant="default" loading={comparing.isPending} onClick={() => comparing.mutate()}>
        Compare with {examples.length === 1 ? 'the example' : `${examples.length} examples`}
      </Button>
      {comparing.error && (
        <Alert color="red" mt="sm" title="The images couldn’t be compared">
          {comparing.error.message}
        </Alert>
      )}
      {comparing.data && (
        <ul className={classes.examples}>
          {comparing.data.map((example) => {
            const parameters = examples.find(({ name }) => name === example.name)?.parameters ?? {}
            return (
              <li key={imageName(example)}>
                <Group gap="xs">
                  <Text size="sm" fw={600}>
                    {imageName(example)}
                  </Text>
                  <Badge size="sm" variant="light" tt="none" color={results[example.result].color}>
                    {results[example.result].label}
                  </Badge>
                  <Text size="xs" c="dimmed">
                    {measured(example)}
                  </Text>
                  {onShow && example.output === undefined && example.result !== 'failed' && (
                    <Button size="compact-xs" variant="subtle" onClick={() => onShow(parameters as ParameterValues)}>
                      Show both
                    </Button>
                  )}
                </Group>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

/** Such as `sale`, `sale · story` and `sale · print, page 2`. */
function imageName({ name, output, page }: ComparedExample): string {
  const ofOutput = output === undefined ? name : `${name} · ${output}`
  return page === undefined ? ofOutput : `${ofOutput}, page ${page}`
}

function measured({ before, after, differing, psnr }: ComparedExample): string {
  if ('error' in after) return `now: ${after.error.message}`
  if ('error' in before) return `before: ${before.error.message}`
  const parts = [`${byteSize(before.size)} → ${byteSize(after.size)}`]
  if (before.width !== after.width || before.height !== after.height)
    parts.unshift(`${before.width} × ${before.height} → ${after.width} × ${after.height}`)
  if (differing) parts.push(`${Number((differing * 100).toPrecision(2))} % of the pixels`)
  if (psnr !== null) parts.push(`${Math.round(psnr)} dB`)
  return parts.join(' · ')
}
