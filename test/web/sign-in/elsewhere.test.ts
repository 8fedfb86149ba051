// Signing in at an issuer that is another site, as on AWS: the cookies hold back what other sites send and still let a person
// come back. The issuer behaves like Cognito: only the ID token names workspace and groups.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { environmentNames } from '../../../functions/manifest.ts';
import { startTwin } from '../../../local/twin.ts';
import { clientId, openIssuer } from '../../functions/auth/issuer.ts';
import { openBrowser, openPage } from '../rig/browser.ts';
import { builtPage } from '../rig/world.ts';

test('a person of another site’s issuer gets in with workspace and roles, stays over a reload, and gets out at both', async () => {
  await builtPage();
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  // `localhost` is another site than 127.0.0.1, where the page is.
  const issuer = await openIssuer('localhost');
  const dataDir = mkdtempSync(join(tmpdir(), 'reprise-elsewhere-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const twin = await startTwin({
    dataDir,
    port: 0,
    schedules: false,
    environment: {
      [environmentNames.issuer]: issuer.url,
      [environmentNames.clientId]: clientId,
      [environmentNames.audience]: clientId,
    },
  });
  onTestFinished(() => twin.close());
  const { page, trouble } = await openPage(browser);
  await page.goto(`${twin.url}/#/settings`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.getByText('u-1, workspace main').waitFor();
  await page.getByText('Roles: admin').waitFor();
  expect(page.url()).toBe(`${twin.url}/#/settings`);
  await page.reload();
  await page.getByText('u-1, workspace main').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${twin.url}/`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(issuer.revoked).toHaveLength(1);
  expect(trouble).toEqual([]);
}, 60_000);
