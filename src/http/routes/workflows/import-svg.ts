import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { Slug, slugDescription, WorkflowDocument } from '../../../domain/workflows/workflow.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { authorizeKey } from '../../request/authorize.ts'
import { id } from '../schema.ts'
import { versionEtag, workflowDetail } from './present.ts'
import { WorkflowDetail } from './schema.ts'

const ImportedLayer = Type.Object(
  {
    layer: Type.String({ description: 'Name of the layer in the design, or of the node.' }),
    became: Type.String({ description: 'Such as `parameter title`, `text`, `svg (3 shapes)` or `left out`.' }),
    note: Type.String({ description: 'Differences from the design, and how to avoid them. Empty if there are none.' }),
  },
  named('ImportedLayer'),
)

const ImportedWorkflow = Type.Object(
  { workflow: WorkflowDetail, report: Type.Array(ImportedLayer, { description: 'A row for each layer.' }) },
  named('ImportedWorkflow'),
)

export const importSvgWorkflow = defineRoute({
  id: 'workflows.importSvg',
  method: 'POST',
  path: '/workflows/import-svg',
  summary: 'Import an SVG as a workflow',
  description:
    'Converts a design of Figma, Illustrator or Inkscape (SVG or SVGZ): its texts and images become parameters, and its shapes layers. Embedded images are uploaded; this also requires the permission `storage:write`. The same as `tintype import-svg`.',
  tag: 'Workflows',
  permission: ['workflows:write'],
  upload: ['file'],
  body: Type.Object(
    {
      name: Type.Optional(
        Type.String({
          ...WorkflowDocument.properties.name,
          description: 'Name of the workflow. Default: the name of the file.',
        }),
      ),
      projectId: Type.Optional(id('The project of the workflow. Default: the project "Default".')),
      slug: Type.Optional(Type.String({ ...Slug, description: slugDescription })),
    },
    closed,
  ),
  reply: {
    status: 201,
    description: 'The workflow was saved as version 1.',
    schema: ImportedWorkflow,
    headers: { Location: 'URL of the workflow.', ETag: 'Version, for `If-Match`.' },
  },
  errors: ['not_found'],
  async handle({ body, file, caller, once, signal }, { svgImports, baseUrl }) {
    const mayStore = () => authorizeKey(caller, ['storage:write'])
    const saved = await svgImports.saveFile(caller.account.id, file, { ...body, once, signal, mayStore })
    const { workflow, document, warnings, report } = saved
    const headers = { location: `${baseUrl()}/workflows/${workflow.id}`, etag: versionEtag(workflow.version) }
    return { status: 201, headers, body: { workflow: workflowDetail(workflow, document, warnings), report } }
  },
})
