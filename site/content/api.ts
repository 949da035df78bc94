/** The page with all endpoints, from the OpenAPI document. The service has the full reference at `/docs`. */

interface Operation {
  operationId: string
  summary: string
  tags: string[]
}

/** A path has other fields, too, such as `servers`. */
const isMethod = /^(get|post|put|patch|delete)$/

export function apiPage(openApi: string): string {
  const { paths } = JSON.parse(openApi) as { paths: Record<string, Record<string, Operation>> }
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => isMethod.test(method))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
  const tags = new Set(endpoints.map(({ tags: [tag = ''] }) => tag))
  const sections = Array.from(tags, (tag) => {
    const rows = endpoints
      .filter(({ tags: [first] }) => first === tag)
      .map(
        ({ path, method, operationId, summary }) =>
          `| [\`${method} ${path}\`](/docs#/${encodeURIComponent(tag)}/${operationId}) | ${summary} |`,
      )
    return `## ${tag}\n\n| Endpoint | Description |\n| --- | --- |\n${rows.join('\n')}\n`
  })
  return `# API reference

All endpoints of the HTTP API, by tag. [The API reference of this service](/docs) has their parameters, bodies, responses and errors, and can send
requests. [The OpenAPI 3.1 document](/openapi.json) is the source of both.

${sections.join('\n')}`
}
