// A reload at every moment of a run: the run is held at each of its crash points and between the pieces of its text, and at
// every event number the reloaded page shows what the page shows that was there all along. Nothing is lost or shown twice.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Script } from '../../../functions/adapters/model/script.ts';
import { deltaMs } from '../../../functions/core/base/limits.ts';
import { handlerFor as thinkFor } from '../../../functions/run/think.ts';
import { openBrowser } from '../rig/browser.ts';
import { arrive, say, scriptedAgent } from '../rig/person.ts';
import { until } from '../rig/until.ts';
import { openWorld, type World } from '../rig/world.ts';

const paceMs = 7;
const script: Script = {
  paceMs,
  scenes: [
    {
      when: {},
      turns: [
        {
          say: 'One question first, because the **offer** depends on how many seats are wanted.',
          call: [
            {
              name: 'ask_user',
              arguments: {
                message: 'How many seats?',
                form: {
                  type: 'object',
                  properties: { seats: { type: 'integer', title: 'Seats', default: 12 } },
                  required: ['seats'],
                },
              },
            },
          ],
        },
        {
          call: [
            {
              name: 'crm_create_opportunity',
              arguments: { customer_id: 'cus_acme', title: '{{message}}', amount_cents: 100 },
            },
          ],
        },
        {
          call: [
            {
              name: 'crm_refund',
              arguments: { payment_id: 'pay_1001', amount_cents: 100, reason: 'Asked for' },
            },
          ],
        },
        {
          say: 'All three are done: the question was answered, the opportunity exists, the refund was made.',
        },
      ],
    },
  ],
};

/** Holds whoever passes until it is opened. */
const turnstile = () => {
  const held: (() => void)[] = [];
  let closed = false;
  return {
    pass: async (): Promise<void> => {
      if (!closed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      held.push(resolve);
      await promise;
    },
    close: (): void => {
      closed = true;
    },
    isHolding: (): boolean => held.length > 0,
    /** Lets go on who is held now; the next are held again. */
    open: (): void => {
      for (const go of held.splice(0)) go();
    },
    end: (): void => {
      closed = false;
      for (const go of held.splice(0)) go();
    },
  };
};

const gate = turnstile();
let world: World;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([
    openWorld({
      scripts: { three: script },
      // What concerns starting a run is not seen by a reader, and would hold up everything.
      crash: { at: (point) => (/^(admit|publish|fire)/.test(point) ? undefined : gate.pass()) },
      handlers: {
        think: (substrate) => {
          const { clock } = substrate;
          let aheadMs = 0;
          const pause = (ms: number): Promise<void> => {
            if (ms !== paceMs) return clock.pause(ms);
            // Each piece comes late enough to be told by itself.
            aheadMs += deltaMs;
            return gate.pass();
          };
          return thinkFor({ ...substrate, clock: { now: () => clock.now() + aheadMs, pause } });
        },
      },
    }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  gate.end();
  await browser?.close();
  await world?.close();
});

/** Everything that the thread shows, as text, with what is open and what may be pressed. */
const shownIn = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const lines: string[] = [];
    for (const element of document.querySelectorAll('.thread-pane *')) {
      const own = [...element.childNodes]
        .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
        .map(({ textContent }) => textContent?.trim())
        .join(' ')
        .trim();
      const open = element instanceof HTMLDetailsElement ? ` open=${element.open}` : '';
      const off = element instanceof HTMLButtonElement && element.disabled ? ' disabled' : '';
      if (own !== '' || open !== '' || off !== '')
        lines.push(`${element.tagName.toLowerCase()}${open}${off} ${own}`);
    }
    return lines.join('\n');
  });

const numberShown = async (page: Page): Promise<number> =>
  Number(await page.locator('.connection').getAttribute('data-number'));

interface Stored {
  readonly number: number;
  readonly type: string;
  readonly at: string;
}
const storedEvents = async (conversationId: string): Promise<readonly Stored[]> => {
  const page = await world.api('ana', 'GET', `/v1/conversations/${conversationId}/events?after=0`);
  const events: unknown = typeof page === 'object' && page !== null && Reflect.get(page, 'events');
  return (Array.isArray(events) ? events : []).map(({ number, at, body }) => ({
    number,
    at,
    type: body.type,
  }));
};

test('at every event number of a run a reloaded page shows what one shows that stayed', async () => {
  const lost = { service: 'crm', operation: 'create_opportunity', mode: 'drop_reply_after_write' };
  await world.fault(lost);
  const agentId = await scriptedAgent(world, 'three', {
    tools: [{ name: 'crm_create_opportunity' }, { name: 'crm_refund' }],
  });
  gate.close();
  const { conversationId } = await say(world, 'Three things for Acme', agentId);
  const look = { place: `/c/${conversationId}`, exactTimes: true };
  const stays = await arrive(browser, world, look);
  const reloads = await arrive(browser, world, look);
  await stays.page.getByRole('log', { name: 'Thread' }).waitFor();
  const seen = new Set<number>();
  let halfWritten = 0;

  const newest = async () => (await storedEvents(conversationId)).at(-1)?.number ?? 0;
  const compare = async (): Promise<void> => {
    if (seen.has(await newest())) return;
    await reloads.page.reload();
    // What is not held goes on meanwhile: the last number that comes is the one both have to show.
    let number = 0;
    await until('both pages show the newest number', async () => {
      const shown = await Promise.all([numberShown(stays.page), numberShown(reloads.page)]);
      number = await newest();
      return shown.every((one) => one === number);
    });
    seen.add(number);
    await expect
      .poll(async () => (await shownIn(reloads.page)) === (await shownIn(stays.page)))
      .toBe(true)
      .catch(async () => {
        expect(await shownIn(reloads.page), `event ${number}`).toBe(await shownIn(stays.page));
      });
  };

  const { page } = stays;
  const answer = page.getByRole('article').getByRole('button', { name: 'Answer' });
  const approve = page.getByRole('button', { name: 'Approve' });
  const ended = page.getByText('done', { exact: true });
  const acts = [answer, approve];
  while (!(await ended.isVisible())) {
    const [act] = acts;
    await until('the run was held, waits for somebody or has ended', async () => {
      if (gate.isHolding() || (await ended.isVisible())) return true;
      return act !== undefined && (await act.isVisible());
    });
    await compare();
    const writing = page.getByRole('listitem').filter({ hasText: 'The agent is writing…' });
    if (/\w+ \w+/.test((await writing.allTextContents()).join().slice(0, 20))) {
      halfWritten += 1;
      // What was asked stands above its answer, though nothing has taken it yet.
      const order = await page.getByRole('log', { name: 'Thread' }).textContent();
      expect(order).toMatch(/Three things for Acme.*One question/);
      expect(order).not.toContain('queued');
    }
    if (gate.isHolding()) gate.open();
    else if (act !== undefined && (await act.isVisible())) {
      await act.click();
      acts.shift();
      await act.waitFor({ state: 'detached' });
    }
  }
  await compare();

  // Events of one transaction come at once: no moment lies between them. At all other numbers there was a reload.
  const events = await storedEvents(conversationId);
  const missed = events.filter(
    ({ number, at }, place) => !seen.has(number) && events[place + 1]?.at !== at,
  );
  expect(missed).toEqual([]);
  expect(events.filter(({ type }) => type === 'text.delta').length).toBeGreaterThan(2);
  expect(halfWritten).toBeGreaterThan(2);
  expect(stays.trouble).toEqual([]);
  expect(reloads.trouble).toEqual([]);
  await stays.context.close();
  await reloads.context.close();
});
