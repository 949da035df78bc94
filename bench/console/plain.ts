/**
 * A page with as many plain boxes as there are cards, with their sizes and positions, which follow the pointer and the
 * wheel.
 */

export function plainPage(positions: number[][]): string {
  const boxes = positions.map(
    ([x, y, width, height]) =>
      `<div class="box" style="transform: translate(${x}px, ${y}px); width: ${width}px; height: ${height}px"></div>`,
  )
  return `<!doctype html>
    <style>
      body { margin: 0; overflow: hidden; background: #f3f0eb }
      #all { position: absolute; transform-origin: 0 0; will-change: transform }
      .box { position: absolute; box-sizing: border-box; border: 1px solid #dbd5cc; border-radius: 10px; background: white }
    </style>
    <div id="all">${boxes.join('')}</div>
    <script>
      let x = 200, y = -2000, zoom = 0.35, from
      const all = document.getElementById('all')
      const put = () => { all.style.transform = 'translate(' + x + 'px, ' + y + 'px) scale(' + zoom + ')' }
      put()
      addEventListener('pointerdown', (event) => { from = event })
      addEventListener('pointermove', (event) => {
        if (!from) return
        x += event.clientX - from.clientX
        y += event.clientY - from.clientY
        from = event
        put()
      })
      addEventListener('pointerup', () => { from = undefined })
      addEventListener('wheel', (event) => {
        const next = Math.min(2, Math.max(0.1, zoom * 2 ** (-event.deltaY * 0.002)))
        x = event.clientX - (event.clientX - x) * next / zoom
        y = event.clientY - (event.clientY - y) * next / zoom
        zoom = next
        put()
      }, { passive: true })
    </script>`
}
