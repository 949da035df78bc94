import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FileInput, LayoutTemplate, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { draftQuery } from '../../api/drafts.ts'
import { documentQuery } from '../../api/workflows.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import { downloadFile } from '../../ui/download-file.ts'
import { EmptyState, LoadFailed } from '../../ui/empty-state.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { Page } from '../../ui/page.tsx'
import { DeleteDialog, DeleteProjectDialog, ProjectDialog } from './dialogs.tsx'
import type { Entry } from './entries.ts'
import { Grid } from './grid.tsx'
import { ImportAnywhere, importFile } from './import.tsx'
import type { GallerySearch } from './search.ts'
import { TemplatesDialog } from './templates-dialog.tsx'
import { Toolbar } from './toolbar.tsx'
import { useCreateWorkflow } from './use-create-workflow.ts'
import { useEntries } from './use-entries.ts'

const route = getRouteApi('/shell/workflows')

export function GalleryPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const queryClient = useQueryClient()
  const { entries, projects, more, isLoading, error } = useEntries(search)
  const { create, duplicate, isCreating } = useCreateWorkflow(search.project)
  const [deleted, setDeleted] = useState<Entry>()
  const [areTemplatesOpen, templates] = useDisclosure()
  const [isProjectOpen, project] = useDisclosure()
  const [isDeletingProject, projectDeletion] = useDisclosure()
  const shown = projects.find(({ id }) => id === search.project)
  const searchField = useRef<HTMLInputElement>(null)
  const change = (part: { [Name in keyof GallerySearch]?: string | undefined }) =>
    void navigate({ search: { ...search, ...part } as GallerySearch, replace: true })
  useCommands([
    { id: 'gallery.new', title: 'New workflow', group: 'Workflows', shortcuts: ['N'], run: () => create() },
    {
      id: 'gallery.templates',
      title: 'Start from a template',
      group: 'Workflows',
      shortcuts: ['T'],
      run: templates.open,
    },
    {
      id: 'gallery.search',
      title: 'Find a workflow by name',
      group: 'Workflows',
      shortcuts: ['/'],
      run: () => searchField.current?.focus(),
    },
  ])
  const isFiltered = search.search !== undefined || search.project !== undefined
  /** Nothing has run yet. */
  const isFresh =
    !isFiltered &&
    !isLoading &&
    entries.every(({ lastOutput, draft }) => lastOutput === undefined && draft === undefined)
  const newButton = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => create()} loading={isCreating}>
      New workflow
    </Button>
  )
  const templatesButton = (
    <Button variant="default" leftSection={<LayoutTemplate size={16} aria-hidden />} onClick={templates.open}>
      Templates
    </Button>
  )
  return (
    <Page
      title="Workflows"
      docs="console-tutorial"
      actions={
        <Group gap="xs">
          <FileButton
            accept=".json,.yaml,.yml,.svg,.svgz,application/json,image/svg+xml"
            onChange={(file) => file && void importFile(file).then((read) => read && create(read))}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<FileInput size={16} aria-hidden />}>
                Import
              </Button>
            )}
          </FileButton>
          {templatesButton}
          {newButton}
        </Group>
      }
    >
      <Toolbar
        search={search}
        projects={projects}
        searchField={searchField}
        onChange={change}
        onNewProject={project.open}
        onDeleteProject={projectDeletion.open}
      />
      {error ? (
        <LoadFailed error={error} onRetry={() => void queryClient.invalidateQueries({ queryKey: ['workflows'] })} />
      ) : entries.length === 0 && !isLoading ? (
        isFiltered ? (
          <EmptyState
            title="No workflows found"
            actions={
              <Button variant="default" onClick={() => change({ search: undefined, project: undefined })}>
                Show all
              </Button>
            }
          >
            {search.search === undefined
              ? 'This project doesn’t have workflows yet.'
              : `No name contains “${search.search}”.`}
          </EmptyState>
        ) : (
          <EmptyState title="No workflows yet" actions={[newButton, templatesButton]}>
            Draw a workflow once and run it as often as you like. Start with an empty canvas or a template, or drop a
            JSON or YAML file here.
          </EmptyState>
        )
      ) : (
        <>
          {isFresh && <Text mb="md">Welcome to Tintype. Open an example and run it, or start from a template.</Text>}
          <Grid
            entries={entries}
            projects={new Map(projects.map(({ id, name }) => [id, name]))}
            actions={{
              onDuplicate: duplicate,
              onDownload: (entry) => void downloadYaml(queryClient, entry),
              onDelete: setDeleted,
            }}
            onEnd={more}
            isLoading={isLoading}
          />
        </>
      )}
      <ImportAnywhere onImport={create} />
      <TemplatesDialog isOpen={areTemplatesOpen} onClose={templates.close} onChoose={create} />
      {deleted && <DeleteDialog entry={deleted} onClose={() => setDeleted(undefined)} />}
      {isDeletingProject && shown && (
        <DeleteProjectDialog
          project={shown}
          projects={projects}
          onClose={projectDeletion.close}
          onDeleted={() => change({ project: undefined })}
        />
      )}
      <ProjectDialog isOpen={isProjectOpen} onClose={project.close} onCreated={(id) => change({ project: id })} />
    </Page>
  )
}

/** Downloads a workflow as YAML, the format for git. */
async function downloadYaml(queryClient: QueryClient, { workflowId, name, draft }: Entry): Promise<void> {
  const { stringify } = await import('yaml')
  const drafted = draft === 'new' ? await queryClient.fetchQuery(draftQuery(workflowId)) : null
  const text = stringify(drafted?.document ?? (await queryClient.fetchQuery(documentQuery(workflowId))))
  downloadFile(`${fileName(name)}.yaml`, text, 'application/yaml')
}

function fileName(name: string): string {
  const slug = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return slug === '' ? 'workflow' : slug
}
