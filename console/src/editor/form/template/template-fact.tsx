import { Text } from '@mantine/core'
import { isImageId } from '../../../api/images.ts'
import { StoredImage } from '../../../ui/stored-image.tsx'
import type { JsonSchema } from '../schema.ts'
import { useTemplateScope } from './scope.ts'
import { useRendered } from './template-result.tsx'

interface Props {
  text: string
  schema: JsonSchema
  node: string
}

/** A template of an executed document, and its value in the execution: `{{ width }} = 900`. */
export function TemplateFact({ text, schema, node }: Props) {
  const rendered = useRendered(text, schema, useTemplateScope(node))
  const value = rendered?.kind === 'value' ? rendered.value : undefined
  if (value === undefined || value === null) return text
  if (typeof value === 'string' && isImageId(value)) return <StoredImage imageId={value} />
  return (
    <>
      <Text span inherit c="dimmed">
        {text} ={' '}
      </Text>
      {typeof value === 'object' ? JSON.stringify(value) : String(value)}
    </>
  )
}
