import { Alert, Button, Group, Modal, Select, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isTemplate } from '../../../../shared/values.ts'
import { endedExecution } from '../../api/execution-events.ts'
import { executeWorkflow } from '../../api/executions.ts'
import type { ParameterValues, WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'
import { documentQuery } from '../../api/workflows.ts'
import { ComparedOutputs } from '../../ui/compared-outputs.tsx'
import { ExampleComparison } from '../../ui/example-comparison.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { useUnmounted } from '../../ui/use-unmounted.ts'
import type { UsedOperation } from '../form/used-operation.ts'
import { useDocument, useEditor, usePublishedWorkflow } from '../state/editor-context.ts'

interface Props {
  /** The node that uses an earlier version. */
  id: string
  used: UsedOperation
  onUpdate(): void
  onClose(): void
}

/** Both versions of a used workflow, compared before the node uses the newer one. */
export function VersionUpdate({ id, used, onUpdate, onClose }: Props) {
  useReturnFocus()
  const { newestVersion, title } = used
  return (
    <Modal opened onClose={onClose} title={`Version ${newestVersion} of ${title}`} size="xl" centered>
      <Stack gap="md">
        <section aria-labelledby="compared-here">
          <Title order={3} size="sm" mb="xs" id="compared-here">
            Examples of this workflow
          </Title>
          <HereCompared id={id} used={used} />
        </section>
        <section aria-labelledby="compared-there">
          <Title order={3} size="sm" mb="xs" id="compared-there">
            Images of {title}
          </Title>
          <ThereCompared id={id} used={used} />
        </section>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button onClick={onUpdate} data-autofocus>
            Use version {newestVersion}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** The examples of the published document, in which only this node changes. */
function HereCompared({ id, used }: Pick<Props, 'id' | 'used'>) {
  const { workflowId } = useEditor()
  const published = usePublishedWorkflow()
  const { data: document } = useQuery({ ...documentQuery(workflowId, published?.version), enabled: published !== null })
  const updated = document && withUpdate(document, id, used)
  if (updated === undefined)
    return (
      <Text size="sm" c="dimmed">
        The published version of this workflow doesn’t use version {versionOf(used)} in the node {id}. After you
        publish, the images of its examples can be compared here.
      </Text>
    )
  return <ExampleComparison workflowId={workflowId} document={updated} />
}

/** The used workflow alone, with the settings of the node or one of its examples. */
function ThereCompared({ id, used }: Pick<Props, 'id' | 'used'>) {
  const { workflowId, newestVersion } = used
  const queryClient = useQueryClient()
  const unmounted = useUnmounted()
  const node = useDocument(({ document }) => document.nodes[id])
  const newest = useQuery(documentQuery(workflowId, newestVersion))
  const [chosen, setChosen] = useState<string>()
  const choices = [...ownSettings(node), ...(newest.data?.examples ?? []).map(exampleOf)]
  const { values, name } = choices.find((choice) => choice.name === chosen) ?? choices[0] ?? { name: null, values: {} }
  const versions = [versionOf(used), newestVersion] as const
  const running = useMutation({
    async mutationFn(parameters: ParameterValues) {
      const started = await Promise.all(versions.map((version) => executeWorkflow(workflowId, { parameters, version })))
      return Promise.all(started.map(({ executionId }) => endedExecution(executionId, unmounted())))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['executions'] }),
  })
  const [before, after] = running.data ?? []
  const error = running.error ?? before?.error ?? after?.error
  return (
    <>
      <Group gap="sm" mb="sm">
        {choices.length > 1 && (
          <Select
            size="xs"
            w={220}
            aria-label="Values"
            allowDeselect={false}
            data={choices.map((choice) => choice.name)}
            value={name}
            onChange={(picked) => {
              setChosen(picked ?? undefined)
              running.reset()
            }}
          />
        )}
        <Button size="xs" variant="default" loading={running.isPending} onClick={() => running.mutate(values)}>
          Run both versions
        </Button>
      </Group>
      {error && (
        <Alert color="red" mb="sm" title="A version couldn’t be run">
          {error.message}
        </Alert>
      )}
      {before?.output && after?.output && (
        <ComparedOutputs before={before} after={after} names={[`version ${versions[0]}`, `version ${versions[1]}`]} />
      )}
    </>
  )
}

function versionOf({ id }: UsedOperation): number {
  return Number(id.split('@')[1])
}

/** Undefined if the node isn't there, or uses another version. */
function withUpdate(document: WorkflowDocument, id: string, used: UsedOperation): WorkflowDocument | undefined {
  const node = document.nodes[id]
  if (node?.workflow !== used.id) return undefined
  const workflow = `${used.id.split('@')[0]}@${used.newestVersion}`
  return { ...document, nodes: { ...document.nodes, [id]: { ...node, workflow } } }
}

interface Choice {
  name: string
  values: ParameterValues
}

/** The settings of the node, unless they depend on its workflow. */
function ownSettings({ params = {}, inputs = {} }: Partial<WorkflowNode> = {}): Choice[] {
  const isFixed = Object.keys(inputs).length === 0 && !Object.values(params).some(hasTemplate)
  return isFixed ? [{ name: 'Settings of the node', values: params as ParameterValues }] : []
}

function exampleOf({ name, parameters = {} }: { name: string; parameters?: unknown }): Choice {
  return { name: `Example ${name}`, values: parameters as ParameterValues }
}

function hasTemplate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isTemplate(value)
  return Object.values(value).some(hasTemplate)
}
