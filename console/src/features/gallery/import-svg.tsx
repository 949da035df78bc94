import { List, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReportRow } from '../../../../shared/svg-import/draft.ts'
import { uploadImage } from '../../api/images.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'

/** Converts a design to a workflow, uploads its images, and shows what its layers became. */
export async function importSvgFile(file: File): Promise<WorkflowDocument | undefined> {
  try {
    const [{ decodeSvg }, { importSvg }] = await Promise.all([
      import('../../../../shared/svg-import/decode-svg.ts'),
      import('../../../../shared/svg-import/import-svg.ts'),
    ])
    const text = await decodeSvg(new Uint8Array(await file.arrayBuffer()))
    const { document, images, report } = importSvg(text, file.name.replace(/\.svgz?$/i, ''))
    for (const { placeholder, fileName, type, base64 } of images) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      const { id } = await uploadImage(new File([bytes], fileName, { type }))
      for (const parameter of document.parameters) if (parameter.default === placeholder) parameter.default = id
    }
    notifications.show({
      title: `${file.name} was imported`,
      message: <Report rows={report} parameters={document.parameters.length} />,
      autoClose: false,
    })
    return document as unknown as WorkflowDocument
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    notifications.show({ color: 'red', title: `${file.name} wasn’t imported`, message })
    return undefined
  }
}

/** More would cover the page. */
const rowsMax = 8

function Report({ rows, parameters }: { rows: readonly ReportRow[]; parameters: number }) {
  const noted = [...new Set(rows.flatMap(({ layer, note }) => (note === '' ? [] : `${layer}: ${note}`)))]
  return (
    <>
      <Text size="sm">
        {parameters === 1 ? '1 layer is a parameter' : `${parameters} layers are parameters`}
        {noted.length > 0 && '. Check these layers:'}
      </Text>
      <List size="sm">
        {noted.slice(0, rowsMax).map((note) => (
          <List.Item key={note}>{note}</List.Item>
        ))}
        {noted.length > rowsMax && <List.Item>{noted.length - rowsMax} more</List.Item>}
      </List>
    </>
  )
}
