/** Brand files: YAML or JSON, in the form of the body of `PUT /v1/brand`. */
import type { BrandValues } from '../../shared/brand.ts'
import { isObject } from '../../shared/values.ts'
import { brandIssues, checkBrandFile } from '../domain/accounts/brand.ts'
import { invalidRequest } from '../errors.ts'
import { isPath } from './image-paths.ts'
import { readDocument } from './workflow-files.ts'

/** An image that starts with `./` or `../` is a path relative to the file: `idOf` returns the id of the image. Throws `invalid_request` with every problem. */
export async function readBrandFile(file: string, idOf: (path: string) => Promise<string>): Promise<BrandValues> {
  const content = await readDocument(file)
  if (isObject(content) && isObject(content.values)) {
    for (const value of Object.values(content.values)) {
      if (!isObject(value) || value.type !== 'image' || typeof value.value !== 'string') continue
      if (isPath(value.value)) value.value = await idOf(value.value)
    }
  }
  const malformed = checkBrandFile(content)
  const { values } = content as { values: BrandValues }
  const issues = malformed.length > 0 ? malformed : brandIssues(values)
  if (issues.length > 0)
    throw invalidRequest(issues.map(({ path, message }) => ({ path: `${file}: ${path || 'the file'}`, message })))
  return values
}
