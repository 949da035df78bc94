/**
 * The chunks of the console's own modules. Without them, each set of pages that shares a module has a chunk: the editor
 * would load 50 files, of which most are too small to be compressed well.
 */

/** The part of the bundler's context that is needed. */
interface Modules {
  getModuleInfo(
    id: string,
  ): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null | undefined
}

/** The page with the header of a workflow, and its tabs. The editor is one of them. */
const editor = /\/(workflow|editor)-page\.tsx$/
const tabs = /\/(workflow|run|versions|code)-page\.tsx$/

/** Modules of the bundler, and of packages that are in other chunks. */
const elsewhere = /^\0|node_modules(?!.*(fastest-levenshtein|zustand))/

/** Modules that more pages import are in the chunk `common`. */
const pagesMax = 5

/**
 * Names the chunk of each module that the editor loads when it opens: `editor`, `workflow` if the other tabs of a workflow
 * need it, `pages` and `common` if a few or many other pages do. Modules that only other pages load have no name.
 */
export function chunkOf(router: string): (id: string, modules: Modules) => string | null {
  let chunks: ReadonlyMap<string, string> | undefined
  return (id, modules) => {
    chunks ??= chunksOf(router, modules)
    return chunks.get(id) ?? null
  }
}

function chunksOf(router: string, modules: Modules): Map<string, string> {
  // The page of a run link has no router.
  const pages = [...(modules.getModuleInfo(router)?.dynamicallyImportedIds ?? [])]
  const modulesOf = (matching: readonly string[]) => {
    const found = new Set<string>()
    const add = (id: string) => {
      if (found.has(id) || elsewhere.test(id)) return
      found.add(id)
      modules.getModuleInfo(id)?.importedIds.forEach(add)
    }
    matching.forEach(add)
    return found
  }
  const ofTabs = modulesOf(pages.filter((page) => tabs.test(page)))
  const ofOthers = pages.filter((page) => !editor.test(page) && !tabs.test(page)).map((page) => modulesOf([page]))
  return new Map(
    [...modulesOf(pages.filter((page) => editor.test(page)))].map((id) => {
      const count = ofOthers.filter((others) => others.has(id)).length
      if (count > 0) return [id, count > pagesMax ? 'common' : 'pages']
      return [id, ofTabs.has(id) ? 'workflow' : 'editor']
    }),
  )
}
