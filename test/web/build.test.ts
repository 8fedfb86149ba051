// The built page: how much script its first load needs, and that nothing in it could break the policy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { pageHeaders } from '../../functions/page-headers.ts';
import { builtPage, dist } from './rig/world.ts';

const firstLoadMax = 130 * 1024;

beforeAll(builtPage);

const text = (file: string): string => readFileSync(join(dist, file), 'utf8');
const assets = (): string[] => readdirSync(join(dist, 'assets'));

/** The entry and all that it imports at once, by file name. */
const firstLoad = (): ReadonlySet<string> => {
  const found = new Set<string>();
  const follow = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const [, imported = ''] of text(`assets/${name}`).matchAll(
      /(?:from|import)\s*["']\.\/([^"']+\.js)["']/g,
    ))
      follow(imported);
  };
  for (const [, name = ''] of text('index.html').matchAll(/\/assets\/([^"]+\.js)"/g)) follow(name);
  return found;
};

const sizeOf = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + gzipSync(text(`assets/${name}`), { level: 9 }).length, 0);

test('the first load, with one language and a thread, needs at most 130 KB of gzipped script', () => {
  const needed = new Set(firstLoad());
  for (const name of assets()) if (/^(en|markdown-tokens)-.*\.js$/.test(name)) needed.add(name);
  expect(needed.size).toBeGreaterThan(2);
  expect(sizeOf(needed)).toBeLessThanOrEqual(firstLoadMax);
});

test('there is no inline script or style, and no address of another server in the document', () => {
  const html = text('index.html');
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  expect(html).not.toMatch(/https?:\/\//);
});

test('the page’s own code makes no HTML string', () => {
  const sources = readdirSync(join(dist, '..'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file),
  );
  expect(sources.length).toBeGreaterThan(40);
  for (const file of sources)
    expect(readFileSync(join(dist, '..', file), 'utf8'), file).not.toMatch(
      /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/,
    );
});

test('the policy lets nothing foreign in and no string become code', () => {
  const policy = pageHeaders['content-security-policy'];
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain("trusted-types 'none'");
  expect(policy).toContain("script-src 'self'");
});
