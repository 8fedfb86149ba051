// A person before the page: signs in with their own browser, in their language, and uses it by names and keys.
// Owns: the words of each language by which a test finds things, so that one test is played in both.
import type { Browser, Locator, Page } from 'playwright-core';
import { z } from 'zod';
import type { Person, PersonName } from '../../../local/twin.ts';
import { en, type Words } from '../../../web/words/en/first.ts';
import { fr } from '../../../web/words/fr/first.ts';
import { laterWords } from '../../../web/words/later.ts';
import { type Look, openPage, type Watched } from './browser.ts';
import type { World } from './world.ts';

export const languages = [
  { locale: 'en-GB', words: { ...en, ...laterWords.en } },
  { locale: 'fr-FR', words: { ...fr, ...laterWords.fr } },
] as const satisfies readonly { readonly locale: Look['locale']; readonly words: Words }[];

/** A second one who may approve and recover. */
export const cleo: Person = {
  subject: 'cleo',
  name: 'Cleo',
  email: 'cleo@example.test',
  roles: ['approver', 'recoverer', 'member'],
};

interface Arrival extends Look {
  readonly person?: PersonName | Person;
  /** Where to go once signed in; left out: the conversations. */
  readonly place?: string;
  /** Times in UTC, so that what two browsers show can be compared. */
  readonly exactTimes?: boolean;
  /** The browser's clock is ahead by this. */
  readonly clockAheadMs?: number;
}

/** Opens the page, signed in and at a place. */
export const arrive = async (
  browser: Browser,
  world: Pick<World, 'url' | 'address'>,
  { person = 'ana', place, exactTimes = false, clockAheadMs, ...look }: Arrival = {},
): Promise<Watched> => {
  const watched = await openPage(browser, look);
  const { page } = watched;
  if (clockAheadMs !== undefined)
    await page.addInitScript((ms) => {
      const now = Date.now;
      Date.now = () => now() + ms;
    }, clockAheadMs);
  if (exactTimes)
    await page.addInitScript(() =>
      localStorage.setItem('reprise.settings', JSON.stringify({ times: 'utc' })),
    );
  await page.goto(await world.address(person));
  await page.getByRole('navigation').waitFor();
  if (place !== undefined) await page.goto(`${world.url}/#${place}`);
  return watched;
};

export const hasFocus = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element === document.activeElement);

/** Presses Tab until the control has the focus, as somebody without a mouse does. Rejects when it is never reached. */
export const tabTo = async (page: Page, control: Locator, most = 120): Promise<void> => {
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    if (await hasFocus(control)) return;
  }
  throw new Error(`Not reached with ${most} presses of Tab: ${control}.`);
};

const textIn = (value: unknown, name: string): string => {
  const found: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  if (typeof found !== 'string') throw new Error(`The answer has no ${name}.`);
  return found;
};

/** Begins a conversation by the API, where how it began is not what is tried. */
export const say = async (
  world: World,
  text: string,
  agentId = world.agentId,
): Promise<{ readonly conversationId: string; readonly runId: string }> => {
  const made = await world.api('ana', 'POST', '/v1/conversations', { agentId, title: text });
  const conversationId = textIn(made, 'conversationId');
  const path = `/v1/conversations/${conversationId}/messages`;
  return { conversationId, runId: textIn(await world.api('ana', 'POST', path, { text }), 'runId') };
};

/** An agent with a script of the world; its id. */
export const scriptedAgent = async (
  world: World,
  script: string,
  more: object = {},
): Promise<string> =>
  textIn(
    await world.api('ana', 'POST', '/v1/agents', {
      name: `Agent ${script}`,
      prompt: 'Do as the script says.',
      model: { provider: 'scripted', script },
      ...more,
    }),
    'agentId',
  );

const registered = z.object({
  items: z.array(
    z.object({ registration: z.looseObject({ name: z.string(), contract: z.looseObject({}) }) }),
  ),
});
const versionMade = z.object({ version: z.number() });

/** A version of a tool whose attempts are over sooner, so that nobody waits for a dead one's deadline. */
export const quicker = async (
  world: Pick<World, 'api'>,
  name: string,
  timeoutMs: number,
): Promise<{ readonly name: string; readonly version: number }> => {
  const { items } = registered.parse(await world.api('ana', 'GET', '/v1/tools'));
  const known = items.find(({ registration }) => registration.name === name)?.registration;
  const { version } = versionMade.parse(
    await world.api('ana', 'POST', `/v1/tools/${name}/versions`, {
      ...known,
      contract: { ...known?.contract, timeoutMs },
    }),
  );
  return { name, version };
};
