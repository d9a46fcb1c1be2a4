import { it } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { openSiteScene } from './site-scene.ts'
import { appendFileSync, readFileSync } from 'node:fs'

it('looks', async () => {
  const chromium = await launchChromium()
  const scene = await openSiteScene({ isPseudo: true })
  const jobs = JSON.parse(readFileSync('/tmp/n/v2-look.json', 'utf8'))
  for (const [name, path, service, viewer, languages, widths, script] of jobs) {
    for (const lang of languages) {
      scene.house.clock.nextMinute()
      const { page } = await openRealPage(chromium, scene.house, {
        from: (scene.viewers as any)[service][viewer],
        service,
        path: scene
          .filled(path)
          .replace(/#|$/, (end: string) => `${path.includes('?') ? '&' : '?'}lang=${lang}${end}`),
      })
      await page.waitForLoadState('networkidle')
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await page.waitForTimeout(200)
        if (script)
          appendFileSync(
            '/tmp/n/v2-look.log',
            [name, path, lang, width, JSON.stringify(await page.evaluate(script))].join(' ') + '\n',
          )
        else await page.screenshot({ path: `/tmp/n/v2-pics/${name}-${lang}-${width}.png` })
      }
      await closeWindow(page)
    }
  }
  await chromium.close()
  await scene.house.close()
}, 600_000)
