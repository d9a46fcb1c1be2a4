import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readCollections } from '../support/read-collections.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { openTournament } from '../support/public-tournament.ts'
import {
  evil,
  looks,
  openRealPage,
  overflowOf,
  phone,
  tabTo,
  targetHeights,
} from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { everyKind, openPoolHouse, settleStats } from './pool-page.ts'
