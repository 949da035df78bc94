import '@mantine/dropzone/styles.css'
import { Alert, Button, List, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Rows3 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { createBatch, deleteBatch, uploadRows } from '../../api/batches.ts'
import { ApiError, issuesOf } from '../../api/client.ts'
import { FileButton } from '../../ui/file-button.tsx'
import { counted } from '../../ui/format.ts'

/** Runs the published workflow for each row of a file: the file is validated first, and its batch shows the cost before it starts. */
export function ManyRows({ workflowId }: { workflowId: string }) {
  const navigate = useNavigate()
  const uploading = useMutation({
    mutationFn: async (file: File) => {
      const { id } = await createBatch(workflowId, file.name)
      try {
        return await uploadRows(id, file)
      } catch (error) {
        await deleteBatch(id).catch(() => undefined)
        throw error
      }
    },
    onSuccess: ({ id }) => void navigate({ to: '/batches/$batchId', params: { batchId: id } }),
  })
  const choose = (file: File | null | undefined) => {
    if (file) uploading.mutate(file)
  }
  return (
    <Stack gap="xs">
      {uploading.error && <FileProblems error={uploading.error} />}
      <Dropzone
        onDrop={([file]) => choose(file)}
        multiple={false}
        loading={uploading.isPending}
        p="sm"
        activateOnClick={false}
      >
        <Stack gap={6} align="center">
          <Text size="sm" c="dimmed" ta="center">
            Run it for many rows: drop a CSV or NDJSON file whose columns are the parameters.
          </Text>
          <FileButton accept=".csv,.tsv,.ndjson,.jsonl,text/csv" onChange={choose}>
            {(props) => (
              <Button
                {...props}
                variant="default"
                size="xs"
                leftSection={<Rows3 size={14} />}
                style={{ pointerEvents: 'all' }}
              >
                Choose a file
              </Button>
            )}
          </FileButton>
        </Stack>
      </Dropzone>
    </Stack>
  )
}

const shownMax = 20

/** The problems of a file by line. They come into sight, also if the form is long. */
function FileProblems({ error }: { error: Error }) {
  const alert = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file has other problems
  useEffect(() => {
    void alert.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  const issues = issuesOf(error)
  const count = error instanceof ApiError ? Number(error.details.issueCount ?? issues.length) : 0
  return (
    <Alert
      ref={alert}
      color="red"
      title={count > 0 ? `The file has ${counted(count, 'problem')}` : 'The upload failed'}
    >
      {issues.length === 0 ? (
        error.message
      ) : (
        <List size="sm" spacing={4}>
          {issues.slice(0, shownMax).map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <Text span fw={550} inherit>
                {path}
              </Text>{' '}
              {message}
            </List.Item>
          ))}
        </List>
      )}
      {count > shownMax && (
        <Text size="sm" mt={4}>
          And {count - Math.min(shownMax, issues.length)} more.
        </Text>
      )}
    </Alert>
  )
}
