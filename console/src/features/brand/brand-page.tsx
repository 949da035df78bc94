import { Select, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { brandQuery } from '../../api/brand.ts'
import { projectsQuery } from '../../api/projects.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { Page } from '../../ui/page.tsx'
import { BrandForm } from './brand-form.tsx'

const route = getRouteApi('/shell/brand')

/** Colours, fonts, images and texts that templates read, of the account and of its projects. */
export function BrandPage() {
  const { project } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: projects = [] } = useQuery(projectsQuery)
  // Opened with the newest values: the form isn't replaced while you type.
  const {
    data: brand,
    error,
    isFetchedAfterMount,
  } = useQuery({ ...brandQuery(project), staleTime: 0, refetchOnWindowFocus: false })
  return (
    <Page
      title="Brand"
      docs="brand"
      actions={
        <Select
          aria-label="Brand of"
          data={[
            { value: ofAccount, label: 'Account: all projects' },
            ...projects.map(({ id, name }) => ({ value: id, label: `Project: ${name}` })),
          ]}
          value={project ?? ofAccount}
          onChange={(value) =>
            void navigate({ search: value === ofAccount || value === null ? {} : { project: value } })
          }
          allowDeselect={false}
          searchable
          w={240}
        />
      }
    >
      <Stack gap="lg">
        <Text c="dimmed">
          {project === undefined
            ? 'Templates of all workflows read these values, such as {{ brand.primary }}.'
            : 'For workflows of this project, a value replaces the value of the account with the same name.'}
        </Text>
        <ErrorText error={error} />
        {brand !== undefined && isFetchedAfterMount ? (
          <BrandForm key={project ?? ofAccount} brand={brand} projectId={project} />
        ) : (
          !error && <Skeleton h={240} />
        )}
      </Stack>
    </Page>
  )
}

const ofAccount = 'account'
