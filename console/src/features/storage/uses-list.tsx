import { Anchor, List } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ImageUses } from '../../api/images.ts'

/** The workflows and brands that use an image. */
export function UsesList({ workflows, brands = [] }: ImageUses) {
  return (
    <List size="sm">
      {workflows.map(({ workflowId, name, version, draft }) => (
        <List.Item key={workflowId}>
          <Anchor
            inherit
            renderRoot={(props) => <Link {...props} to="/workflows/$workflowId" params={{ workflowId }} />}
          >
            {name}
          </Anchor>{' '}
          ({[...(version === undefined ? [] : [`version ${version}`]), ...(draft ? ['draft'] : [])].join(' and ')})
        </List.Item>
      ))}
      {brands.map(({ projectId, projectName, values }) => (
        <List.Item key={projectId}>
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link {...props} to="/brand" search={projectId === null ? {} : { project: projectId }} />
            )}
          >
            Brand of {projectId === null ? 'the account' : (projectName ?? 'a project')}
          </Anchor>{' '}
          ({values.join(', ')})
        </List.Item>
      ))}
    </List>
  )
}
