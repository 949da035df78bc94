import { Alert, Anchor, Group, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { workflowQuery } from '../../api/workflows.ts'
import { ParameterFields } from '../../editor/form/parameter-fields.tsx'
import { useDocument, useRun } from '../../editor/state/editor-context.ts'
import { CodeBlock } from './code-block.tsx'
import { exampleValues } from './example-values.ts'
import { type Language, languages, type Mode, modes, snippet } from './snippets.ts'

const route = getRouteApi('/shell/workflows/$workflowId/api')

/** A call of the workflow in three languages, with its id and the values of the form. */
export function CodePage() {
  const { workflowId } = route.useParams()
  const document = useDocument((state) => state.document)
  const values = useRun((state) => state.values)
  const setValues = useRun((state) => state.setValues)
  const [language, setLanguage] = useState<Language>('curl')
  const [mode, setMode] = useState<Mode>('sync')
  const call = { baseUrl: `${window.location.origin}/v1`, workflowId, parameters: exampleValues(document, values) }
  const isUnpublished = useQuery(workflowQuery(workflowId)).data === null
  const summary = modes.find(({ id }) => id === mode)?.summary
  const needs = languages.find(({ id }) => id === language)?.needs
  const { parameters = [] } = document
  return (
    <Stack p={{ base: 'md', md: 'xl' }} gap="md" maw={1280} w="100%">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h3">
          Call it from your code
        </Title>
        <Group gap="sm">
          <SegmentedControl
            aria-label="Language"
            data={languages.map(({ id, label }) => ({ value: id, label }))}
            value={language}
            onChange={(value) => setLanguage(value as Language)}
          />
          <SegmentedControl
            aria-label="Response"
            data={modes.map(({ id, label }) => ({ value: id, label }))}
            value={mode}
            onChange={(value) => setMode(value as Mode)}
          />
        </Group>
      </Group>
      {isUnpublished && (
        <Alert color="yellow" title="Publish the workflow first">
          It has no published version, so this call returns 404 <code>not_found</code> until you publish it.
        </Alert>
      )}
      <Text c="dimmed" size="sm">
        {summary} {needs} It runs the published version, and reads the API key from <code>TINTYPE_KEY</code>.
      </Text>
      <SimpleGrid cols={{ base: 1, lg: parameters.length === 0 ? 1 : 2 }} spacing="xl">
        {parameters.length > 0 && (
          <section aria-label="Parameters">
            <ParameterFields parameters={parameters} values={values} onChange={setValues} issues={[]} />
          </section>
        )}
        <CodeBlock text={snippet(language, mode, call)} language={language} label={`the call in ${language}`} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        All routes, errors and limits: <Anchor href="/docs">API reference</Anchor>, also as an{' '}
        <Anchor href="/openapi.json">OpenAPI document</Anchor>.
      </Text>
    </Stack>
  )
}
//FIX
