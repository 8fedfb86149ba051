// A real Chromium for the page's tests: one from an npm package where the machine has none, an installed Chrome elsewhere.
// Owns: starting it, and that every page of a test reports what the policy blocked and what broke.
import { rmSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { alone } from './until.ts';

const bundled = async (): Promise<string> => {
  // The package unpacks its own libraries only where it believes itself on Lambda.
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs24.x';
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs24.x';
  const { default: packed } = await import('@sparticuz/chromium');
  const executablePath = await packed.executablePath();
  delete process.env.AWS_EXECUTION_ENV;
  delete process.env.AWS_LAMBDA_JS_RUNTIME;
  return executablePath;
};

const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    headless: true,
  });

const launchBundled = (): Promise<Browser> =>
  alone('chromium', async () => {
    const path = await bundled();
    try {
      return await launch(path);
    } catch {
      // A process that was killed while it unpacked leaves half of the file behind.
      rmSync(path, { force: true });
      return launch(await bundled());
    }
  });

export const openBrowser = (): Promise<Browser> =>
  process.platform === 'linux' ? launchBundled() : chromium.launch({ channel: 'chrome' });

export interface Watched {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Violations of the policy, uncaught errors and errors on the console, as they come. */
  readonly trouble: string[];
}

export interface Look {
  readonly locale?: 'en-GB' | 'fr-FR';
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
}

/** A browser of its own for one person: nothing is shared with another context. */
export const openPage = async (
  browser: Browser,
  { locale = 'en-GB', colorScheme = 'light', width = 1280 }: Look = {},
): Promise<Watched> => {
  const context = await browser.newContext({
    locale,
    colorScheme,
    viewport: { width, height: 860 },
    reducedMotion: 'reduce',
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  context.setDefaultTimeout(40_000);
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    // A refusal of the API is no error of the page, though the browser logs it.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource'))
      trouble.push(`console: ${text}`);
  });
  await page.exposeFunction('repriseViolation', (what: string) => void trouble.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report: unknown = Reflect.get(globalThis, 'repriseViolation');
      if (typeof report === 'function')
        report(`policy: ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  return { context, page, trouble };
};
