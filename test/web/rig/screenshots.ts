// Pictures of every screen, for looking at: `node test/web/rig/screenshots.ts [folder]` (default `.reprise/screenshots`).
// Each in both languages and themes, and narrow.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Look, openBrowser, openPage } from './browser.ts';
import { prepareScenes, sceneScripts, show } from './scenes.ts';
import { openWorld } from './world.ts';

const looks: { readonly [name: string]: Look } = {
  'en-light': { locale: 'en-GB', colorScheme: 'light' },
  'en-dark': { locale: 'en-GB', colorScheme: 'dark' },
  'fr-light': { locale: 'fr-FR', colorScheme: 'light' },
  'en-320': { locale: 'en-GB', colorScheme: 'light', width: 320 },
};

const folder = resolve(process.argv[2] ?? join('.reprise', 'screenshots'));
const [world, browser] = await Promise.all([openWorld({ scripts: sceneScripts }), openBrowser()]);
try {
  const scenes = await prepareScenes(world);
  for (const [name, look] of Object.entries(looks)) {
    mkdirSync(join(folder, name), { recursive: true });
    const { page, context } = await openPage(browser, look);
    await page.goto(await world.address('ana'));
    await page.locator('nav').waitFor();
    for (const scene of scenes) {
      await show(page, world.url, scene);
      await page.screenshot({ path: join(folder, name, `${scene.name}.png`) });
      if (scene.afterwards !== undefined) await page.keyboard.press('Escape');
    }
    await context.close();
  }
  process.stdout.write(`${scenes.length} screens, ${Object.keys(looks).length} looks: ${folder}\n`);
} finally {
  await browser.close();
  await world.close();
}
