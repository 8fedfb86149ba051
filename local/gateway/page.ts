// The page's files, with headers that let it load nothing foreign. Owns: that no path leaves the folder.
import { readFile, realpath } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pageHeaders } from '../../functions/page-headers.ts';
import { apiLike } from '../../functions/page-paths.ts';
import { sendAnswer, sendWhole } from '../http/answers.ts';
import type { GatewayRequest } from '../http/request.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json',
};

/** The file's content if it lies within `root`, links followed; undefined otherwise. */
const readWithin = async (root: string, path: string): Promise<Buffer | undefined> => {
  try {
    const whole = await realpath(root);
    const file = await realpath(join(whole, path));
    return file.startsWith(whole + sep) ? await readFile(file) : undefined;
  } catch {
    return undefined;
  }
};

const placeholder = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Reprise</title>
<p>The page has not been built. The API is under <a href="/v1/openapi.json">/v1</a>.</p></html>`;

/** Serves a file of `root`; a path without a dot is a place in the page and gets index.html, save one that asks for some API. */
export const servePage = async (
  root: string,
  request: GatewayRequest,
  response: ServerResponse,
): Promise<void> => {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return sendAnswer(response, 'not-found');
  const path = decodeURIComponent(request.path);
  if (path.includes('\0') || path.split(/[\\/]/).includes('..'))
    return sendAnswer(response, 'not-found');
  if (apiLike.test(path)) return sendAnswer(response, 'not-found');
  const extension = extname(path);
  const isPlace = extension === '' || extension === '.html';
  const content = await readWithin(root, isPlace ? 'index.html' : path);
  if (content === undefined && !isPlace) return sendAnswer(response, 'not-found');
  const hashed = path.startsWith('/assets/');
  sendWhole(
    response,
    200,
    {
      ...pageHeaders,
      'content-type': contentTypes[isPlace ? '.html' : extension] ?? 'application/octet-stream',
      'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
    content ?? placeholder,
  );
};
