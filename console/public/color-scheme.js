// Before the first paint, so that a dark room stays dark. What was chosen is in a cookie, and nothing is in localStorage.
;(() => {
  const [, chosen] = /(?:^|; )tintype_scheme=(light|dark)/.exec(document.cookie) ?? []
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.setAttribute('data-mantine-color-scheme', chosen ?? (isDark ? 'dark' : 'light'))
})()
